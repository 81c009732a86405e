import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument } from '@innkeeper/contract';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';

const API = join(import.meta.dirname, '../..');
const ROOT = join(API, '../..');
const run = promisify(execFile);

const rig = useControlPlaneRig();
/** A client's project: client.ts, and beside it the types that openapi-typescript makes of the OpenAPI document. */
let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'innkeeper-client-'));
  await cp(join(API, 'test/generated-client'), project, { recursive: true });
  await symlink(join(API, 'node_modules'), join(project, 'node_modules'));
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  // A copy, because openapi-typescript changes its input.
  const document = structuredClone(openApiDocument({ version: '0' }));
  const types = await openapiTypescript(document as never, { silent: true });
  await writeFile(join(project, 'api.gen.ts'), astToString(types));
});
afterAll(() => rm(project, { recursive: true, force: true }));

it('a client generated from the document compiles', async () => {
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      typeRoots: [join(ROOT, 'node_modules/@types')],
      // The repository's own file describes other sources.
      tsBuildInfoFile: join(project, 'types.tsbuildinfo'),
    },
    include: ['*.ts'],
    exclude: [],
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config));
  const compiled = await run(join(ROOT, 'node_modules/.bin/tsc'), ['--project', project]).catch((e) => e);
  expect([compiled.stdout, compiled.code ?? 0]).toEqual(['', 0]);
});

it('a client generated from the document takes an account through its life and reads a refusal', async () => {
  const args = [rig.origin, rig.adminToken, String(rig.packages.large)];
  await run(process.execPath, [join(project, 'client.ts'), ...args]);
});
