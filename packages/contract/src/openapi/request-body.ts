import type { Endpoint } from '../endpoint.ts';
import { inputSchema, schemaReference } from './json-schema.ts';
import type { MediaType, RequestBody } from './openapi-types.ts';
import { requestName } from './schema-components.ts';

/** Request body of an endpoint, as JSON or as a form. Undefined if the endpoint reads no body. */
export function requestBodyOf(name: string, endpoint: Endpoint, example: unknown): RequestBody | undefined {
  const { body, upload } = endpoint;
  if (upload !== undefined) return archiveBody(upload);
  if (body === undefined) return undefined;
  const schema = schemaReference(requestName(name));
  const shown = example === undefined ? {} : { example };
  const nested = Object.entries(inputSchema(body).properties ?? {}).filter(
    ([, { type }]) => type === 'object',
  );
  const encoding = Object.fromEntries(
    nested.map(([field]) => [field, { style: 'deepObject', explode: true } as const]),
  );
  const form: MediaType = { schema, ...shown, ...(nested.length === 0 ? {} : { encoding }) };
  return {
    required: !body.safeParse({}).success,
    content: { 'application/json': { schema, ...shown }, 'application/x-www-form-urlencoded': form },
  };
}

function archiveBody(part: string): RequestBody {
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            [part]: { type: 'string', format: 'binary', description: 'A ZIP archive of at most 512 MiB.' },
          },
          required: [part],
        },
        encoding: { [part]: { contentType: 'application/zip' } },
      },
    },
  };
}
