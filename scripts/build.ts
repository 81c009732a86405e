import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { assembleAgentRelease } from './agent-release.ts';

/** What is deployed: one self-contained ES module for each app, run by the pinned Node and nothing else. */
const BUNDLES = {
  'innkeeper-api': 'apps/api/src/main.ts',
  'innkeeper-agent': 'apps/agent/src/main.ts',
  innctl: 'apps/innctl/src/main.ts',
} as const;

export type BundleName = keyof typeof BUNDLES;

const ROOT = join(import.meta.dirname, '..');

/** CommonJS packages inside an ES module expect these three. */
const COMMONJS_NAMES = [
  "import { createRequire as __createRequire } from 'node:module';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = import.meta.filename;',
  'const __dirname = import.meta.dirname;',
].join('\n');

/**
 * Bundles the named apps, or all, into `dist/<name>.mjs`; with the agent's comes its release in `dist/agent`.
 * Rejects with the compiler's own words.
 */
export async function buildBundles(
  names: readonly BundleName[] = Object.keys(BUNDLES) as BundleName[],
): Promise<string[]> {
  const outdir = join(ROOT, 'dist');
  await mkdir(outdir, { recursive: true });
  const files = await Promise.all(
    names.map(async (name) => {
      const outfile = join(outdir, `${name}.mjs`);
      await build({
        absWorkingDir: ROOT,
        entryPoints: [BUNDLES[name]],
        outfile,
        bundle: true,
        platform: 'node',
        format: 'esm',
        target: 'node24',
        banner: { js: COMMONJS_NAMES },
        keepNames: true,
        legalComments: 'eof',
        logLevel: 'silent',
      });
      return outfile;
    }),
  );
  if (names.includes('innkeeper-agent')) await assembleAgentRelease();
  return files;
}

if (import.meta.main) {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !Object.hasOwn(BUNDLES, name));
  if (unknown.length > 0) {
    console.error(`there is no bundle ${unknown.join(', ')}; there are: ${Object.keys(BUNDLES).join(', ')}`);
    process.exit(2);
  }
  try {
    const files = await buildBundles(asked.length > 0 ? (asked as BundleName[]) : undefined);
    for (const file of files) console.log(`${file}  ${Math.round((await stat(file)).size / 1024)} kB`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}
