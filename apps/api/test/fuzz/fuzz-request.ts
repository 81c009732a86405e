import { type Endpoint, endpoints, openApiDocument } from '@innkeeper/contract';
import fc from 'fast-check';
import { type PathBend, pathBends, type TextBend, textBends } from './bends.ts';
import { nastyTexts, nastyValue, recordRef } from './nasty-values.ts';
import { nastySegment, oddHeaders, rawQuery } from './odd-parts.ts';
import { type RecordKind, RecordRef } from './records.ts';
import { type JsonSchema, valueFor } from './schema-values.ts';

type Fields = Record<string, unknown>;
type Segment = string | RecordRef;

/** A request: anything that a client can write to a connection. */
export interface FuzzRequest {
  method: string;
  /** Segments below the prefix, as sent on the wire, except for records. */
  segments: readonly Segment[];
  bendPath: PathBend;
  query: Fields;
  /** Appended to the query unchanged. */
  rawQuery: string;
  body: Body;
  headers: Record<string, string>;
  /** Index of one of the population's tokens. Undefined: none. */
  token: number | undefined;
  manner: Manner;
}

/** `doubled`: sent twice at the same time. `aborted`: the client disconnects in the middle of its body. */
type Manner = 'plain' | 'doubled' | 'chunked' | 'aborted';

export type Body =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown; bend: TextBend }
  | { kind: 'form'; fields: Fields; bend: TextBend }
  | { kind: 'multipart'; part: string; content: string; bend: TextBend }
  | { kind: 'raw'; bytes: string };

const document = openApiDocument({ version: 'fuzz' });
const table = Object.entries<Endpoint>(endpoints);

const mostly = <T>(usual: T, weight: number, others: fc.Arbitrary<T>) =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });
const keyOf = <T extends object>(of: T) => fc.constantFrom(...(Object.keys(of) as (keyof T & string)[]));

/** Half of the values match the schema; the others have some fields replaced, left out or added. */
function fieldsFor(schema: JsonSchema | undefined): fc.Arbitrary<Fields> {
  const good = (schema === undefined ? fc.constant({}) : valueFor(schema)) as fc.Arbitrary<Fields>;
  const names = fieldNames(schema);
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...(names.length === 0 ? ['x'] : names)) },
    { weight: 1, arbitrary: fc.constantFrom(...nastyTexts) },
  );
  const bent = fc
    .record({
      good,
      dropped: fc.array(name, { maxLength: 2 }),
      replaced: fc.array(fc.tuple(name, nastyValue), { minLength: 1, maxLength: 3 }),
    })
    .map(({ good, dropped, replaced }) => {
      const kept = Object.entries(good).filter(([field]) => !dropped.includes(field));
      return Object.fromEntries([...kept, ...replaced]);
    });
  return fc.oneof(good, bent);
}

function fieldNames(schema: JsonSchema | undefined): string[] {
  const options = schema?.anyOf ?? [schema ?? {}];
  return [...new Set(options.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

function schemaOfBody(operation: Operation): JsonSchema | undefined {
  const schema = operation.requestBody?.content['application/json']?.schema;
  const name = schema?.$ref?.toString().split('/').at(-1);
  return name === undefined ? undefined : (document.components.schemas[name] as JsonSchema);
}

type Operation = (typeof document.paths)[string][string];

function schemaOfQuery(operation: Operation): JsonSchema {
  const inQuery = (operation.parameters ?? []).flatMap((parameter) =>
    'in' in parameter && parameter.in === 'query' ? [parameter] : [],
  );
  return {
    type: 'object',
    properties: Object.fromEntries(inQuery.map(({ name, schema }) => [bare(name), schema as JsonSchema])),
    required: inQuery.filter(({ required }) => required).map(({ name }) => bare(name)),
  };
}

const bare = (name: string) => name.replace('[]', '');

const kindOfPath: Readonly<Record<string, RecordKind>> = {
  accounts: 'account',
  packages: 'package',
  domains: 'domain',
  apps: 'app',
  databases: 'database',
  'cron-jobs': 'cronJob',
  sso: 'user',
};

function segmentsFor({ path }: Endpoint): fc.Arbitrary<Segment[]> {
  const parts = path.split('/').slice(1);
  const kind = kindOfPath[parts[0] ?? ''] ?? 'account';
  const ref = fc.nat(11).map((number): Segment => new RecordRef(kind, number));
  const ip = fc.oneof(fc.ipV4(), fc.ipV6().map(encodeURIComponent));
  return fc.tuple(
    ...parts.map((part): fc.Arbitrary<Segment> => {
      if (!part.startsWith('{')) return fc.constant(part);
      return fc.oneof(
        { weight: 8, arbitrary: part === '{ip}' ? ip : ref },
        { weight: 1, arbitrary: recordRef },
        { weight: 1, arbitrary: nastySegment },
      );
    }),
  );
}

function bodyFor(operation: Operation): fc.Arbitrary<Body> {
  const fields = fieldsFor(schemaOfBody(operation));
  const bend = mostly<TextBend>('none', 12, keyOf(textBends));
  const json: fc.Arbitrary<Body> = fc.record({ kind: fc.constant('json'), value: fields, bend });
  const form: fc.Arbitrary<Body> = fc.record({ kind: fc.constant('form'), fields, bend });
  const other: fc.Arbitrary<Body> = fc.record({
    kind: fc.constant('json'),
    value: nastyValue,
    bend: fc.constant('none'),
  });
  const raw: fc.Arbitrary<Body> = fc.record({
    kind: fc.constant('raw'),
    bytes: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...nastyTexts)),
  });
  const multipart: fc.Arbitrary<Body> = fc.record({
    kind: fc.constant('multipart'),
    part: mostly('archive', 4, fc.constantFrom('', 'x', 'archive[]', '\u00fc"')),
    content: fc.oneof(
      fc.constantFrom('', 'PK\x03\x04', EMPTY_ZIP, SMALL_ZIP, SMALL_ZIP, SMALL_ZIP),
      fc.string({ unit: 'binary' }),
    ),
    bend: mostly<TextBend>('none', 4, fc.constantFrom('cut', 'doubled', 'nulAtTheEnd')),
  });
  const isUpload = operation.requestBody?.content['multipart/form-data'] !== undefined;
  const isAsked = operation.requestBody !== undefined;
  return fc.oneof(
    { weight: isAsked ? 0 : 20, arbitrary: fc.constant<Body>({ kind: 'none' }) },
    { weight: isAsked ? 20 : 1, arbitrary: json },
    { weight: isAsked ? 5 : 1, arbitrary: form },
    { weight: isUpload ? 60 : 1, arbitrary: multipart },
    { weight: 1, arbitrary: other },
    { weight: 1, arbitrary: raw },
  );
}

/** A ZIP archive with an index.php. */
const SMALL_ZIP = Buffer.from(
  'UEsDBBQAAAAAAAAAIQCusmujBQAAAAUAAAAJAAAAaW5kZXgucGhwPD9waHBQSwECFAMUAAAAAAAAACEArrJrowUAAAAFAAAACQAAAAAAAAAAAAAApIEAAAAAaW5kZXgucGhwUEsFBgAAAAABAAEANwAAACwAAAAAAA==',
  'base64',
).toString('latin1');
const EMPTY_ZIP = `PK\x05\x06${'\0'.repeat(18)}`;

function requestFor(endpoint: Endpoint): fc.Arbitrary<FuzzRequest> {
  const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
  if (operation === undefined) throw new Error(`${endpoint.path} is not in the document.`);
  return fc.record({
    method: mostly(
      endpoint.method as string,
      15,
      fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'POST', 'GET', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'),
    ),
    segments: segmentsFor(endpoint),
    bendPath: mostly<PathBend>('none', 15, keyOf(pathBends)),
    query: fieldsFor(schemaOfQuery(operation)),
    rawQuery: mostly('', 10, rawQuery),
    body: bodyFor(operation),
    headers: mostly<Record<string, string>>({}, 3, oddHeaders),
    token: fc.oneof(
      { weight: 12, arbitrary: fc.constant(0) },
      { weight: 4, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.constantFrom(2, 3, undefined) },
    ),
    manner: mostly<Manner>('plain', 15, fc.constantFrom('doubled', 'chunked', 'aborted')),
  });
}

/** Requests to every endpoint of the table. Requests that remove records are rarer, so that records remain. */
export const fuzzRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  ...table.map(([, endpoint]) => ({
    weight: endpoint.method === 'DELETE' ? 1 : 4,
    arbitrary: requestFor(endpoint),
  })),
);
