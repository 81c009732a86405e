import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appTemplateSchema } from './app-template.ts';

const node = { key: 'nodejs', name: 'Node.js', runtime: 'nodejs', node_versions: ['22'] };
const php = { key: 'php', name: 'PHP', runtime: 'php' };

const refusalsOf = (template: unknown) =>
  appTemplateSchema
    .safeParse(template)
    .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];

describe('a template', () => {
  it('has defaults for nearly every field, and needs a domain unless it runs on Node.js', () => {
    expect(appTemplateSchema.parse(php)).toEqual({
      ...php,
      description: '',
      icon: 'app',
      installer: 'starter',
      requires_domain: true,
      database: false,
      env_schema: [],
      start_command: null,
    });
    expect(appTemplateSchema.parse(node).requires_domain).toBe(false);
    expect(appTemplateSchema.parse({ ...node, requires_domain: true }).requires_domain).toBe(true);
    expect(
      appTemplateSchema.parse({ ...php, runtime: 'static', requires_domain: false }).requires_domain,
    ).toBe(false);
  });

  it.each<[change: object, sentence: RegExp]>([
    [{ key: 'PHP' }, /^key must have 1 to 64 of a-z/],
    [{ key: '../x' }, /^key /],
    [{ name: '' }, /^name must not be empty/],
    [{ name: 'a\nb' }, /^name must be one line/],
    [{ runtime: 'ruby' }, /^runtime must be one of php, static, nodejs/],
    [{ installer: 'curl' }, /^installer must be one of starter, wordpress/],
    [{ installer: 'wordpress' }, /^installer can only be wordpress when/],
    [{ node_versions: ['22'] }, /^node_versions must only be there when/],
    [{ start_command: 'npm start' }, /^start_command must only be there when/],
    [{ requires_domian: true }, /Unrecognized key: "requires_domian"/],
    [{ env_schema: [{ name: '1A', label: 'A' }] }, /^env_schema.0.name must have letters/],
    [
      {
        env_schema: [
          { name: 'A', label: 'A' },
          { name: 'A', label: 'B' },
        ],
      },
      /^env_schema must not have a name twice/,
    ],
    [{ env_schema: [{ name: 'A', label: 'A', default: 'a\nb' }] }, /^env_schema.0.default must be one line/],
  ])('of PHP with %j is refused at the field', (change, sentence) => {
    expect(refusalsOf({ ...php, ...change })).toEqual([expect.stringMatching(sentence)]);
  });

  it.each<[change: object, sentence: RegExp]>([
    [{ node_versions: undefined }, /^node_versions must be there when/],
    [{ node_versions: [] }, /^node_versions must have at least one/],
    [{ node_versions: ['22', '22'] }, /^node_versions must not have a version twice/],
    [{ node_versions: ['22.1'] }, /^node_versions.0 must be major versions/],
    [{ start_command: 'a && b' }, /^start_command must not have & \(a list of commands\): no shell reads it/],
  ])('of Node.js with %j is refused at the field', (change, sentence) => {
    expect(refusalsOf({ ...node, ...change })).toEqual([expect.stringMatching(sentence)]);
  });

  it('is never read from invalid data, and reading it again changes nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(appTemplateSchema.safeParse(value).success).toBe(false);
      }),
    );
    const key = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/);
    const text = fc.string({ unit: fc.constantFrom(...'abc XYZ-1ä'), minLength: 1, maxLength: 50 });
    const variable = fc.record({
      name: fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/),
      label: text,
      required: fc.boolean(),
      secret: fc.boolean(),
      default: fc.option(text),
    });
    fc.assert(
      fc.property(
        fc.record({
          key,
          name: text,
          runtime: fc.constantFrom('php', 'static'),
          requires_domain: fc.boolean(),
          env_schema: fc.uniqueArray(variable, { maxLength: 5, selector: ({ name }) => name }),
        }),
        (template) => {
          const read = appTemplateSchema.parse(template);
          expect(read).toMatchObject(template);
          expect(appTemplateSchema.parse(JSON.parse(JSON.stringify(read)))).toEqual(read);
        },
      ),
    );
  });
});
