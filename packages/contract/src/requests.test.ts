import { DOMAIN_NAME_PATTERN } from '@innkeeper/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAccountBody } from './accounts/requests.ts';
import { nestBracketedKeys } from './bracketed-keys.ts';
import { createCronJobBody, updateCronJobBody } from './cron-jobs/requests.ts';
import { allowedIpBody, createDatabaseBody } from './databases/requests.ts';
import { createDomainBody } from './domains/requests.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { fieldErrors, validationBody } from './validation-body.ts';

const packageAccount = {
  username: 'bob',
  name: 'Bob',
  email: 'bob@example.com',
  password: 'correct horse',
  package_id: 1,
};
const { package_id: _, ...person } = packageAccount;
const customAccount = {
  ...person,
  disk_limit_mb: 100,
  bandwidth_limit_mb: 100,
  cpu_limit_percent: 1,
  ram_limit_mb: 128,
  max_domains: 1,
  max_databases: 0,
  max_apps: 0,
};

const sentences = (schema: z.ZodType, input: unknown, field: string) => {
  const result = schema.safeParse(input);
  return result.success ? [] : fieldErrors(result.error)[field];
};
const refusals = (field: string, value: unknown, body: object = packageAccount) =>
  sentences(createAccountBody, { ...body, [field]: value }, field);

describe('a new account', () => {
  it('needs no limits with a package', () => {
    expect(createAccountBody.parse(packageAccount)).toEqual(packageAccount);
  });

  it('needs seven limits without a package, and the sentences name the alternative', () => {
    const { max_apps, ...incomplete } = customAccount;
    expect(createAccountBody.parse(customAccount)).toEqual({ ...customAccount, package_id: null });
    expect(createAccountBody.parse({ ...customAccount, package_id: '' })).toMatchObject({ package_id: null });
    expect(sentences(createAccountBody, incomplete, 'max_apps')).toEqual([
      'The max apps field is required when package id is not present.',
    ]);
  });

  it('reports fields in the order of the API, for any order in the request', () => {
    const result = createAccountBody.safeParse({ max_apps: -1, iops: 1, email: '', username: '' });
    expect(Object.keys(fieldErrors(result.error as z.ZodError))).toEqual([
      'username',
      'name',
      'email',
      'password',
      'disk_limit_mb',
      'bandwidth_limit_mb',
      'cpu_limit_percent',
      'ram_limit_mb',
      'iops',
      'max_domains',
      'max_databases',
      'max_apps',
    ]);
  });

  it('omits a null limit of a package, and keeps a null rate', () => {
    expect(
      createAccountBody.parse({ ...packageAccount, disk_limit_mb: null, iops: null, terminal_access: null }),
    ).toEqual({ ...packageAccount, iops: null });
  });

  const required = 'field is required.';
  it.each<[field: string, value: unknown, sentences: string[]]>([
    ['username', undefined, [`The username ${required}`]],
    ['username', ' \n', [`The username ${required}`]],
    ['username', [], [`The username ${required}`]],
    ['username', 'ab', ['The username field must be at least 3 characters.']],
    ['username', 'abcdefghijklmnopq', ['The username field must not be greater than 16 characters.']],
    ['username', 'a..b', ['The username field format is invalid.']],
    ['username', 'a\nb', ['The username field format is invalid.']],
    ['username', 'a\0b', ['The username field format is invalid.']],
    ['username', 'abc\0', ['The username field format is invalid.']],
    ['username', 'ab\u212a', ['The username field format is invalid.']],
    ['username', 12345, ['The username field must be a string.']],
    [
      'username',
      ['bob'],
      ['The username field must be a string.', 'The username field must be at least 3 characters.'],
    ],
    ['name', 'x'.repeat(101), ['The name field must not be greater than 100 characters.']],
    ['name', 'a\r\nb', ['The name field format is invalid.']],
    ['name', 'a\u2028b', ['The name field format is invalid.']],
    ['name', 'a\ud800b', ['The name field format is invalid.']],
    ['email', 'a@', ['The email field must be a valid email address.']],
    ['email', 'a..b@c.d', ['The email field must be a valid email address.']],
    ['email', 'a@b.c\nBcc: d@e.f', ['The email field must be a valid email address.']],
    ['email', { a: 1 }, ['The email field must be a valid email address.']],
    ['email', `a@${'b.'.repeat(130)}c`, ['The email field must not be greater than 255 characters.']],
    ['password', '1234567', ['The password field must be at least 8 characters.']],
    ['password', '        ', [`The password ${required}`]],
    ['password', '12345678\n', ['The password field format is invalid.']],
    ['password', 'x'.repeat(256), ['The password field must not be greater than 255 characters.']],
    ['package_id', 'x', ['The package id field must be an integer.']],
    ['package_id', [], ['The package id field must be an integer.']],
    ['package_id', 2 ** 53, ['The package id field must be an integer.']],
    ['package_id', '99999999999999999999', ['The package id field must be an integer.']],
    ['package_id', true, ['The package id field must be an integer.']],
    ['disk_limit_mb', 99, ['The disk limit mb field must be at least 100.']],
    [
      'disk_limit_mb',
      1e300,
      [
        'The disk limit mb field must be an integer.',
        'The disk limit mb field must not be greater than 1000000000.',
      ],
    ],
    ['disk_limit_mb', '1e3', ['The disk limit mb field must be an integer.']],
    ['disk_limit_mb', '0500', ['The disk limit mb field must be an integer.']],
    [
      'disk_limit_mb',
      [],
      ['The disk limit mb field must be an integer.', 'The disk limit mb field must be at least 100.'],
    ],
    ['bandwidth_limit_mb', '99', ['The bandwidth limit mb field must be at least 100.']],
    ['cpu_limit_percent', 0, ['The cpu limit percent field must be at least 1.']],
    ['cpu_limit_percent', 10_001, ['The cpu limit percent field must not be greater than 10000.']],
    ['ram_limit_mb', 127, ['The ram limit mb field must be at least 128.']],
    ['io_read_mbps', 4, ['The io read mbps field must be at least 5.']],
    ['io_write_mbps', 4, ['The io write mbps field must be at least 5.']],
    ['iops', 99, ['The iops field must be at least 100.']],
    ['max_processes', 19, ['The max processes field must be at least 20.']],
    ['max_domains', 0, ['The max domains field must be at least 1.']],
    ['max_databases', -1, ['The max databases field must be at least 0.']],
    ['max_apps', '-1', ['The max apps field must be at least 0.']],
    ['terminal_access', 'true', ['The terminal access field must be true or false.']],
    ['terminal_access', 2, ['The terminal access field must be true or false.']],
    ['terminal_access', [true], ['The terminal access field must be true or false.']],
  ])('is refused with %s %j', (field, value, expected) => {
    expect(refusals(field, value)).toEqual(expected);
  });

  it.each<[field: string, value: unknown, read: unknown]>([
    ['username', ' BoB ', 'bob'],
    ['username', '-_-', '-_-'],
    ['name', ' Zoë 😀 ', 'Zoë 😀'],
    ['email', "o'hara+x@sub.example.com", "o'hara+x@sub.example.com"],
    ['password', ' 1234567 ', ' 1234567 '],
    ['password', '日本語のパスワード', '日本語のパスワード'],
    ['disk_limit_mb', ' 500 ', 500],
    ['max_apps', '-0', 0],
    ['max_apps', -0, 0],
    ['terminal_access', '0', false],
    ['terminal_access', 1, true],
  ])('accepts %s %j as %j', (field, value, read) => {
    expect(createAccountBody.parse({ ...packageAccount, [field]: value })).toHaveProperty(field, read);
  });
});

describe('a domain name', () => {
  const read = (domain_name: unknown) => {
    const result = createDomainBody.safeParse({ hosting_account_id: 1, domain_name });
    return result.success ? result.data.domain_name : fieldErrors(result.error).domain_name;
  };
  const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;

  it.each([
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['münchen.de', 'xn--mnchen-3ya.de'],
    ['例え。jp', 'xn--r8jz45g.jp'],
    ['a.xn--p1ai', 'a.xn--p1ai'],
    [longest, longest],
    [`${longest}.`, longest],
  ])('%s is read as %s', (sent, expected) => {
    expect(read(sent)).toBe(expected);
  });

  const invalid = 'The domain name field format is invalid.';
  it.each([
    'localhost',
    'exa mple.com',
    'example.com/x',
    'example.com;',
    'example.com\\x',
    'a..b.com',
    '.example.com',
    'example.com..',
    '-a.com',
    'a-.com',
    'a_b.com',
    '*.example.com',
    'example.com:80',
    '1.2.3.4',
    '0x7f.1',
    '[::1]',
    'example.c',
    'example.123',
    'xn--zzzz.com',
    'ex%61mple.com',
    'a\tb.com',
    'a\0.com',
    'user@example.com',
    `${'a'.repeat(64)}.com`,
    '../etc.com',
    'ex.com\uff0fa',
    '\ud800.com',
  ])('%j is refused', (sent) => {
    expect(read(sent)).toEqual([invalid]);
  });

  it('has at most 253 characters', () => {
    expect(read(`e${longest}`)).toEqual([
      'The domain name field must not be greater than 253 characters.',
      invalid,
    ]);
  });
});

describe('a cron job', () => {
  const job = { hosting_account_id: 1, schedule: '@daily', command: 'php cron.php', enabled: true };
  const schedule = 'The schedule field must be a valid cron expression.';

  it.each<[field: string, value: unknown, sentence: string]>([
    ['schedule', undefined, 'The schedule field is required.'],
    ['schedule', '@reboot', schedule],
    ['schedule', '61 * * * *', schedule],
    ['schedule', '*\n* * * *', 'The schedule field format is invalid.'],
    ['schedule', ['* * * * *'], 'The schedule field must be a string.'],
    [
      'schedule',
      `${'1,'.repeat(200)}1 * * * *`,
      'The schedule field must not be greater than 255 characters.',
    ],
    ['command', undefined, 'The command field is required.'],
    ['command', '', 'The command field is required.'],
    ['command', {}, 'The command field is required.'],
    ['command', 5, 'The command field must be a string.'],
    ['command', 'x'.repeat(2_001), 'The command field must not be greater than 2000 characters.'],
    ['command', 'a\nb', 'The command field format is invalid.'],
    ['command', 'a\0b', 'The command field format is invalid.'],
    ['command', 'a; b', 'The command field must not contain ";", "|", "&", a backtick or "$(".'],
    ['command', '/bin/su -', 'The command field must not run su or sudo.'],
    ['command', 'echo x >>/usr/x', 'The command field must not redirect into a system path.'],
    ['name', 'x'.repeat(101), 'The name field must not be greater than 100 characters.'],
  ])('is refused with %s %.30j, when it is new and when it changes', (field, value, sentence) => {
    for (const schema of [createCronJobBody, updateCronJobBody])
      expect(sentences(schema, { ...job, [field]: value }, field)).toContain(sentence);
  });

  it('is enabled or not', () => {
    expect(sentences(updateCronJobBody, { ...job, enabled: 'true' }, 'enabled')).toEqual([
      'The enabled field must be true or false.',
    ]);
  });
});

describe('a database', () => {
  it.each<[name: unknown, sentence: string]>([
    [['x'], 'The name field must be a string.'],
    ['x'.repeat(65), 'The name field must not be greater than 64 characters.'],
    ['a\nb', 'The name field format is invalid.'],
  ])('is refused with the name %.30j', (name, sentence) => {
    expect(sentences(createDatabaseBody, { hosting_account_id: 1, name }, 'name')).toContain(sentence);
  });

  it.each<[hosting_account_id: unknown, sentence: string]>([
    [undefined, 'The hosting account id field is required.'],
    ['x', 'The hosting account id field must be an integer.'],
  ])('is refused for the account %j', (hosting_account_id, sentence) => {
    expect(sentences(createDatabaseBody, { hosting_account_id }, 'hosting_account_id')).toEqual([sentence]);
  });

  const noAddress = 'The ip field must be a valid IP address.';
  it.each<[ip: unknown, sentence: string]>([
    [undefined, 'The ip field is required.'],
    ['', 'The ip field is required.'],
    ['%', noAddress],
    ['198.51.100.0/24', noAddress],
    ['198.51.100.07', noAddress],
    ['localhost', noAddress],
    ['fe80::1%eth0', noAddress],
    [1, noAddress],
  ])('refuses the allowed address %j', (ip, sentence) => {
    expect(sentences(allowedIpBody, { ip }, 'ip')).toEqual([sentence]);
  });
});

describe('any input', () => {
  const schemas = Object.values<Endpoint>(endpoints).flatMap(({ method, path, query, body }) => [
    ...(query === undefined ? [] : [[`query of ${method} ${path}`, query] as const]),
    ...(body === undefined ? [] : [[`body of ${method} ${path}`, body] as const]),
  ]);
  const fields = [...new Set(schemas.flatMap(([, schema]) => fieldNames(schema)))];
  const values = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(null, undefined, '', ' ', true, false, 0, -0, 1, '1', 1e21, Number.NaN, [], {}, [[]]),
    fc.integer(),
    fc.double(),
  );
  const objects = fc.dictionary(fc.constantFrom(...fields, '__proto__', 'constructor'), values);

  it.each(schemas)('the %s answers with sentences or with a value', (_name, schema) => {
    fc.assert(
      fc.property(fc.oneof(values, objects), (input) => {
        const result = schema.safeParse(input);
        if (result.success) return;
        const { message, errors } = validationBody(fieldErrors(result.error));
        expect(Object.keys(errors)).not.toHaveLength(0);
        for (const sentence of [message, ...Object.values(errors).flat()]) {
          expect(sentence).toMatch(
            /^The (?:selected [a-z_ ]+ is invalid\.|[A-Za-z_.0-9 ]+ field (?:must |is |format )[^:]+\)?)$/,
          );
        }
      }),
    );
  });

  it('a valid domain name is accepted by agents', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.string(), fc.webUrl()), (domain_name) => {
        const result = createDomainBody.safeParse({ hosting_account_id: 1, domain_name });
        if (result.success) expect(result.data.domain_name).toMatch(DOMAIN_NAME_PATTERN);
      }),
    );
  });

  it('a form or query becomes an object of strings, arrays and objects', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (entries) => {
        for (const value of Object.values(nestBracketedKeys(entries))) {
          expect(['string', 'object']).toContain(typeof value);
        }
      }),
    );
  });
});

function fieldNames(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return ['package_id', 'username', 'name', 'email', 'password', 'disk_limit_mb', 'iops', 'terminal_access'];
}

describe('bracketed keys', () => {
  const nested = (query: string) => ({ ...nestBracketedKeys(new URLSearchParams(query)) });

  it.each<[query: string, expected: unknown]>([
    ['a=1', { a: '1' }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a[]=1', { a: ['1'] }],
    ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
    ['a=1&a[]=2', { a: ['1', '2'] }],
    ['a[b][c]=1', { 'a[b][c]': '1' }],
    ['[]=1', { '[]': '1' }],
  ])('%s', (query, expected) => {
    expect(nested(query)).toEqual(expected);
  });

  it('with names make objects, and cannot reach a prototype', () => {
    expect(JSON.stringify(nested('env[A]=1&env[__proto__]=2'))).toBe('{"env":{"A":"1","__proto__":"2"}}');
    expect(Object.getPrototypeOf(nestBracketedKeys([['__proto__[x]', '1']]))).toBe(null);
  });
});
