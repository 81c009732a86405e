import { readFileSync, writeFileSync } from 'node:fs';
import protobuf from 'protobufjs';

/**
 * Generates packages/protocol/src/wire/node.gen.ts from the proto file: the descriptor that gRPC loads, so that a
 * bundle needs no .proto file beside it, and the types of the messages. Run it after a change of the proto: `node
 * scripts/generate-protocol.ts`. Its test fails while the committed file is older than the proto.
 */
export const protoFile = new URL('../proto/innkeeper/node/v1/node.proto', import.meta.url);
export const generatedFile = new URL('../packages/protocol/src/wire/node.gen.ts', import.meta.url);

interface Field {
  type: string;
  rule?: string;
  keyType?: string;
  options?: Record<string, unknown>;
}

interface Declaration {
  fields?: Record<string, Field>;
  methods?: Record<string, Method>;
}

interface Method {
  requestType: string;
  responseType: string;
  requestStream?: boolean;
  responseStream?: boolean;
}

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  bytes: 'Uint8Array',
  bool: 'boolean',
  double: 'number',
  uint32: 'number',
  // Text, because a number silently loses digits above 2^53.
  uint64: 'string',
};

/**
 * Returns the TypeScript module of a proto with one package. Throws for a field type that the module does not support.
 */
export function renderWireModule(protoText: string): string {
  const { root, package: packageName } = protobuf.parse(protoText, { keepCase: true });
  if (packageName === undefined) throw new Error('The proto has no package.');
  const namespace = root.lookup(packageName);
  if (!(namespace instanceof protobuf.Namespace)) throw new Error(`${packageName} is not a package.`);
  const declarations = Object.entries((namespace.toJSON().nested ?? {}) as Record<string, Declaration>);

  const parts = declarations.map(([name, declaration]) => renderDeclaration(name, declaration));
  return [
    '// Made from proto/innkeeper/node/v1/node.proto by scripts/generate-protocol.ts; not to be edited.',
    `export const packageName = '${packageName}';`,
    ...parts,
    `export const descriptor: object = ${JSON.stringify(root.toJSON(), null, 2)};`,
    '',
  ].join('\n\n');
}

function renderDeclaration(name: string, { fields, methods }: Declaration): string {
  const lines =
    methods === undefined
      ? Object.entries(fields ?? {}).map(([field, { options, ...type }]) => {
          const mark = options?.proto3_optional === true ? '?' : '';
          return `${field}${mark}: ${renderType(type)};`;
        })
      : Object.entries(methods).map(([method, types]) => `${method}: ${renderMethod(method, types)};`);
  // A type, not an interface: an empty interface would accept any value.
  if (lines.length === 0) return `export type ${name} = Record<string, never>;`;
  return [`export interface ${name} {`, ...lines.map((line) => `  ${line}`), '}'].join('\n');
}

function renderMethod(method: string, { requestType, responseType, ...streams }: Method): string {
  const { requestStream = false, responseStream = false } = streams;
  if (requestStream && !responseStream) throw new Error(`${method} streams its requests only.`);
  if (requestStream && requestType !== responseType)
    throw new Error(`${method} has frames of two types; both ends must send the same.`);
  if (requestStream) return `{ frame: ${requestType} }`;
  return `{ request: ${requestType}; ${responseStream ? 'chunk' : 'response'}: ${responseType} }`;
}

function renderType({ type, rule, keyType }: Field): string {
  const value = scalars[type] ?? (/^[A-Z][A-Za-z]+$/.test(type) ? type : undefined);
  if (value === undefined) throw new Error(`No TypeScript type is known for ${type}.`);
  if (keyType !== undefined) return `Record<string, ${value}>`;
  if (rule === 'repeated') return `${value}[]`;
  return type in scalars ? value : `${value} | null`;
}

if (import.meta.main) writeFileSync(generatedFile, renderWireModule(readFileSync(protoFile, 'utf8')));
