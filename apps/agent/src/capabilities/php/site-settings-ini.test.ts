import { type PhpSettings, phpSettingsSchema, plainPhp, plainSite } from '@innkeeper/protocol';
import { describe, expect, test } from 'vitest';
import { domainOf, specOf } from '../../../test/specs.ts';
import { siteSettingsIni } from './site-settings-ini.ts';

const siteWith = (php: Partial<PhpSettings>) => ({ ...plainSite, php: { ...plainPhp, ...php } });
const twoSites = specOf({ domains: [domainOf(1, 'shop.example.com'), domainOf(2, 'other.example.com')] });
/** Its settings are not checked by the schema of specs. */
const shop = (php: Partial<PhpSettings>) => ({
  ...twoSites,
  domains: twoSites.domains.map((domain) =>
    domain.domain_id === 1 ? { ...domain, site: siteWith(php) } : domain,
  ),
});
/** The lines after the header. */
const linesOf = (spec: ReturnType<typeof shop>) => siteSettingsIni(spec)?.trimEnd().split('\n').slice(1);

describe('the PHP settings of sites', () => {
  test('have a section for each name of a site that has any, and none for its neighbours', () => {
    const lines = linesOf(
      shop({
        memory_limit_mb: 128,
        upload_mb: 20,
        execution_s: 60,
        input_vars: 5_000,
        display_errors: true,
        time_zone: 'America/Argentina/Buenos_Aires',
        cache_revision: 3,
      }),
    );
    const settings = [
      'memory_limit = "128M"',
      'upload_max_filesize = "20M"',
      'post_max_size = "20M"',
      'max_execution_time = "60"',
      'max_input_vars = "5000"',
      'display_errors = "1"',
      'date.timezone = "America/Argentina/Buenos_Aires"',
      '; cache 3',
    ];
    expect(lines).toEqual([
      '[HOST=shop.example.com]',
      ...settings,
      '[HOST=www.shop.example.com]',
      ...settings,
    ]);
  });

  test('are no file while no site has any', () => {
    expect(siteSettingsIni(shop({}))).toBeNull();
  });

  test('are those of the site that an alias shows, and www. of a site can have its own', () => {
    const spec = specOf({
      domains: [
        domainOf(1, 'shop.example.com', { site: siteWith({ input_vars: 200 }) }),
        domainOf(2, 'www.shop.example.com', { site: siteWith({ input_vars: 300 }) }),
        domainOf(3, 'alias.example.com', { alias_of: 1 }),
        domainOf(4, 'gone.example.com', { desired_state: 'absent', site: siteWith({ input_vars: 400 }) }),
      ],
    });
    expect(linesOf(spec)).toEqual([
      '[HOST=shop.example.com]',
      'max_input_vars = "200"',
      '[HOST=www.shop.example.com]',
      'max_input_vars = "300"',
      '[HOST=www.www.shop.example.com]',
      'max_input_vars = "300"',
      '[HOST=alias.example.com]',
      'max_input_vars = "200"',
      '[HOST=www.alias.example.com]',
      'max_input_vars = "200"',
    ]);
  });

  test('never give a script more memory than the account has', () => {
    const spec = { ...shop({ memory_limit_mb: 4_096 }), limits: { ...specOf({}).limits, ram_mb: 96 } };
    expect(linesOf(spec)).toContain('memory_limit = "96M"');
  });

  const breakOuts = [
    'UTC"\nextension = /home/demo/evil.so\n[x',
    'UTC\n[HOST=neighbour.example.com]\nauto_prepend_file=/home/demo/x',
    ['$', '{HOME}'].join(''),
    'UTC"',
    'UTC;',
    '../../etc/passwd',
    'UTC\0',
    'UTC\r',
  ];
  test.each(breakOuts)('the time zone %j reaches no file, and no agent accepts its spec', (time_zone) => {
    expect(() => siteSettingsIni(shop({ time_zone }))).toThrow('not allowed in the PHP configuration');
    expect(phpSettingsSchema.safeParse({ ...plainPhp, time_zone }).success).toBe(false);
  });

  test.each(['128M\nextension=x', '1"', 1.5, -1, Number.NaN, 1e21])(
    'the number %j reaches no file, and no agent accepts its spec',
    (value) => {
      const input_vars = value as number;
      expect(() => siteSettingsIni(shop({ input_vars }))).toThrow('not allowed in the PHP configuration');
      expect(phpSettingsSchema.safeParse({ ...plainPhp, input_vars }).success).toBe(false);
    },
  );

  test('refuse a name that could end its section', () => {
    const spec = shop({ input_vars: 200 });
    const domains = spec.domains.map((domain) => ({ ...domain, name: 'a.example]\nextension=x' }));
    expect(() => siteSettingsIni({ ...spec, domains })).toThrow('not allowed in the PHP configuration');
  });
});
