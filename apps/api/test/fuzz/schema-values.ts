import fc from 'fast-check';
import { type RecordKind, RecordRef } from './records.ts';

/** The parts of JSON Schema that the document uses for requests. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
  enum?: unknown[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

const refTo = (kind: RecordKind) => fc.nat(11).map((number) => new RecordRef(kind, number));
const letters = (min: number, max: number) =>
  fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
    minLength: min,
    maxLength: max,
  });

/** Fields that need a meaningful value, so that a request is not refused early. */
const meaningful: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  id: fc.nat(1000),
  hosting_account_id: refTo('account'),
  package_id: refTo('package'),
  domain_id: refTo('domain'),
  app_id: refTo('app'),
  username: letters(3, 16),
  password: fc.string({ minLength: 8, maxLength: 60, unit: 'grapheme-ascii' }),
  domain_name: letters(1, 12).map((label) => `${label}.example.com`),
  schedule: fc.constantFrom('* * * * *', '@hourly', '15 3 * * 1-5', '*/5 0-6 1,15 * *'),
  command: fc.constantFrom('true', 'php a.php', 'echo "%" > out.txt', 'echo $HOME'),
  template_key: fc.constantFrom('php', 'static', 'nodejs', 'wordpress'),
  node_version: fc.constantFrom('18', '20', '22'),
  include: fc.constantFrom('apps', 'usage', 'apps,usage', 'nothing'),
  repository: fc.constantFrom('https://example.com/a/b.git', 'git@example.com:a/b.git'),
  branch: fc.constantFrom('main', 'release/1.0'),
  ip: fc.oneof(fc.ipV4(), fc.ipV6()),
};

/** Values that the schema of a field admits, often at its limits. */
export function valueFor(schema: JsonSchema, name = ''): fc.Arbitrary<unknown> {
  const known = meaningful[name];
  if (known !== undefined && schema.type !== 'null') return schema.type === 'array' ? fc.array(known) : known;
  if (schema.anyOf !== undefined && schema.type === undefined)
    return fc.oneof(...schema.anyOf.map((option) => valueFor(option)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'integer':
      return integerFor(schema);
    case 'boolean':
      return fc.constantFrom<unknown>(true, false, 0, 1, '0', '1');
    case 'array':
      return fc.array(valueFor(schema.items ?? {}), { maxLength: 20 });
    case 'object':
      return objectFor(schema);
    case 'null':
      return fc.constant(null);
    default:
      return stringFor(schema);
  }
}

function integerFor({ minimum = 0, maximum = 2 ** 31 }: JsonSchema): fc.Arbitrary<unknown> {
  const number = fc.oneof(
    fc.constantFrom(minimum, Math.min(minimum + 1, maximum), maximum),
    fc.integer({ min: minimum, max: Math.min(maximum, minimum + 1000) }),
  );
  return fc.oneof({ weight: 4, arbitrary: number }, { weight: 1, arbitrary: number.map(String) });
}

function stringFor({ format, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<unknown> {
  if (format === 'email') return letters(1, 20).map((name) => `${name}@example.com`);
  const sizes = { minLength: Math.max(minLength, 1), maxLength: Math.min(maxLength, minLength + 40) };
  return fc.oneof(
    { weight: 3, arbitrary: letters(sizes.minLength, sizes.maxLength) },
    { weight: 1, arbitrary: fc.string(sizes) },
    { weight: 1, arbitrary: fc.string({ ...sizes, unit: 'grapheme' }) },
    { weight: 1, arbitrary: fc.constant('x'.repeat(maxLength)) },
  );
}

function objectFor({ properties, required = [], additionalProperties }: JsonSchema): fc.Arbitrary<object> {
  if (properties === undefined)
    return fc.dictionary(fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,9}$/), valueFor(additionalProperties ?? {}), {
      maxKeys: 5,
    });
  const fields = Object.entries(properties).map(([name, schema]) => [name, valueFor(schema, name)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}
