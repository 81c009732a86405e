import { writeFileSync } from 'node:fs';
import { openApiDocument } from '@innkeeper/contract';
import openapiTypescript, { astToString } from 'openapi-typescript';

/**
 * Makes api.gen.ts: the types that openapi-typescript gives to a client of this API. Run it after a change
 * of the contract: `node apps/api/test/generated-client/generate.ts`. A test fails while the committed file
 * is older than the contract.
 */
export const generatedFile = new URL('api.gen.ts', import.meta.url);

const HEADER = '// Made from the OpenAPI document by generate.ts; not to be edited.\n\n';

/** The text of api.gen.ts. */
export async function renderClientTypes(): Promise<string> {
  // It changes what it is given; and a release alone makes no other types.
  const document = structuredClone(openApiDocument({ version: '0' }));
  return HEADER + astToString(await openapiTypescript(document as never, { silent: true }));
}

if (import.meta.main) writeFileSync(generatedFile, await renderClientTypes());
