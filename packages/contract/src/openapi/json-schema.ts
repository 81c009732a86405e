import { z } from 'zod';
import { withDescriptions } from './field-descriptions.ts';
import type { JsonSchema } from './openapi-types.ts';

/** JSON Schema of a request's input. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  return described(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: simplify }));
}

/**
 * JSON Schemas of responses, by name. A schema that contains another named schema refers to it as
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
      // Responses may get new fields, so clients must accept unknown ones.
      if (node.jsonSchema.additionalProperties === false) delete node.jsonSchema.additionalProperties;
    },
  });
  return new Map(Object.entries(schemas).map(([id, schema]) => [id, described(schema)]));
}

export function schemaReference(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** Removes bounds that only mean "a JSON number", and the digit pattern and text default of integers in paths. */
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
