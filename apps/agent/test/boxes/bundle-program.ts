import { join } from 'node:path';
import { embedModules } from '@innkeeper/testkit/machine';
import { build } from 'esbuild';

/** Bundles a program of this folder with all its imports into one module for the Node.js of a hosting server. */
export async function bundleProgram(name: `${string}-program.ts`): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, name)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    plugins: [embedModules],
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  });
  return outputFiles[0]!.contents;
}
