import { writeFileSync } from 'node:fs';
import { openApiDocument } from '@innkeeper/contract';
import openapiTypescript, { astToString } from 'openapi-typescript';

/**
 * Generates api.gen.ts: the types of openapi-typescript for a client of this API. Run it after a change of the
 * contract: `node apps/api/test/generated-client/generate.ts`. A test fails while the committed file is older than the
 * contract.
 */
export const generatedFile = new URL('api.gen.ts', import.meta.url);

const HEADER = '// Made from the OpenAPI document by generate.ts; not to be edited.\n\n';

/** Returns the text of api.gen.ts. */
export async function renderClientTypes(): Promise<string> {
  // A copy, because openapi-typescript changes its input. A fixed version, because a release alone does not change the
  // types.
  const document = structuredClone(openApiDocument({ version: '0' }));
  return HEADER + astToString(await openapiTypescript(document as never, { silent: true }));
}

if (import.meta.main) writeFileSync(generatedFile, await renderClientTypes());
