import { z } from 'zod';
import { withDescriptions } from './field-descriptions.ts';
import type { JsonSchema } from './openapi-types.ts';

/** What a request may send, as JSON Schema. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  return described(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: simplify }));
}

/**
 * What the API answers, as JSON Schema by name. Where one of the schemas holds another it refers to
 * `#/components/schemas/<name>`.
 */
export function outputSchemas(named: ReadonlyMap<string, z.ZodType>): Map<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of named) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'output',
    unrepresentable: 'any',
    uri: (id) => schemaReference(id).$ref,
    override: (node) => {
      simplify(node);
      // Answers may get new fields: who reads them must not refuse what is not described.
      if (node.jsonSchema.additionalProperties === false) delete node.jsonSchema.additionalProperties;
    },
  });
  return new Map(Object.entries(schemas).map(([id, schema]) => [id, described(schema)]));
}

export function schemaReference(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** Without bounds that say no more than "a JSON number", and what is said of an integer's digits in a path. */
function simplify({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.type !== 'integer') return;
  delete jsonSchema.pattern;
  if (typeof jsonSchema.default === 'string') delete jsonSchema.default;
}

function described(schema: object): JsonSchema {
  const { $schema: _dialect, $id: _id, ...rest } = schema as JsonSchema;
  return withDescriptions(rest);
}
