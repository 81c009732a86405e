import type { Endpoint } from '../endpoint.ts';
import { inputSchema } from './json-schema.ts';
import type { JsonSchema, Parameter, Reference } from './openapi-types.ts';

/** Shared parameters for `components/parameters`, by name. */
export const parameters: Record<string, Parameter> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns ' +
      'the first response again. The same key with a different request returns 422. A retry while the first ' +
      'request is in progress returns 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
};

/** Path, query and header parameters of an endpoint. */
export function parametersOf(endpoint: Endpoint): (Parameter | Reference)[] {
  const { params, query, method } = endpoint;
  const path = params === undefined ? [] : fieldsOf(inputSchema(params)).map(pathParameter);
  const search = query === undefined ? [] : fieldsOf(inputSchema(query)).map(queryParameter);
  const header = method === 'GET' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }];
  return [...path, ...search, ...header];
}

interface Field {
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
  description: { description?: string };
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    schema,
    isRequired: required.includes(name),
    description: typeof description === 'string' ? { description } : {},
  }));
}

function pathParameter({ name, schema, description }: Field): Parameter {
  return { name, in: 'path', required: true, ...description, schema };
}

/** The name of an array has brackets: `name[]=1&name[]=2`. */
function queryParameter({ name, schema, isRequired, description }: Field): Parameter {
  const field = { in: 'query', required: isRequired, ...description, schema } as const;
  return schema.type === 'array'
    ? { name: `${name}[]`, ...field, style: 'form', explode: true }
    : { name, ...field };
}
