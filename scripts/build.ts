import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DIST_LOCK, hashTree, withFileLock } from '@innkeeper/testkit/machine';
import { build, type Plugin } from 'esbuild';
import { assembleAgentRelease } from './agent-release.ts';

/** What is deployed: one self-contained ES module for each app, run by the pinned Node and nothing else. */
const BUNDLES = {
  'innkeeper-api': 'apps/api/src/main.ts',
  'innkeeper-agent': 'apps/agent/src/main.ts',
  'innkeeper-task': 'apps/agent/src/capabilities/apps/task/main.ts',
  innctl: 'apps/innctl/src/main.ts',
} as const;

export type BundleName = keyof typeof BUNDLES;

const ROOT = join(import.meta.dirname, '..');
const OUT_DIR = join(ROOT, 'dist');
/** On the same file system, so that what is built can be moved into its place. */
const BUILD_DIR = join(ROOT, '.toolchain/build');

/** CommonJS packages inside an ES module expect these three. */
const COMMONJS_NAMES = [
  "import { createRequire as __createRequire } from 'node:module';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = import.meta.filename;',
  'const __dirname = import.meta.dirname;',
].join('\n');

/** Modules called `*.embed.ts` are evaluated now: the bundle has what they export by default, as JSON. */
const embed: Plugin = {
  name: 'embed',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.embed\.ts$/ }, async ({ path }) => {
      const { default: value }: { default: unknown } = await import(path);
      return { contents: JSON.stringify(value), loader: 'json' };
    });
  },
};

/**
 * Bundles the named apps, or all, into `dist/<name>.mjs`; with the agent's come its tasks' and its release in `dist/agent`.
 * What comes out as it was stays untouched, so that `up` and a test run of one checkout do not disturb each
 * other. Rejects with the compiler's own words.
 */
export async function buildBundles(
  names: readonly BundleName[] = Object.keys(BUNDLES) as BundleName[],
): Promise<string[]> {
  return await withFileLock(DIST_LOCK, async () => {
    await rm(BUILD_DIR, { recursive: true, force: true });
    await mkdir(BUILD_DIR, { recursive: true });
    await mkdir(OUT_DIR, { recursive: true });
    const withAgent = names.includes('innkeeper-agent');
    await Promise.all(
      [...new Set<BundleName>([...names, ...(withAgent ? ['innkeeper-task' as const] : [])])].map(bundle),
    );
    if (withAgent) await assembleAgentRelease(BUILD_DIR, join(BUILD_DIR, 'agent'));
    for (const name of await readdir(BUILD_DIR)) await settle(name);
    await rm(BUILD_DIR, { recursive: true });
    return names.map((name) => join(OUT_DIR, `${name}.mjs`));
  });
}

/**
 * How esbuild gives a function or class back the name that bundling may have taken from it. It would do so
 * with every function that a request makes, where that is a tenth of the work; some libraries ask a class for
 * its name, nobody asks a function.
 */
const NAMING =
  /\bvar __name=\((\w+),\s*(\w+)\)=>\s*(__defProp\(\1,\s*"name",\s*\{\s*value(?::\s*\2)?,\s*configurable:\s*true\s*\}\));/;
const NAMING_OF_CLASSES = 'var __name=($1)=>$1;var __nameClass=($1,$2)=>$3;';
/** A class names itself; anything else is named from outside. */
const CLASS_NAMES_ITSELF = /__name\(this,\s*(?=")/g;

async function bundle(name: BundleName): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [BUNDLES[name]],
    outfile: join(BUILD_DIR, `${name}.mjs`),
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    banner: { js: COMMONJS_NAMES },
    keepNames: true,
    // Comments and indentation are half of it, and all of it stays in memory.
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'eof',
    logLevel: 'silent',
    plugins: [embed],
  });
  for (const { path, text } of outputFiles) {
    if (!NAMING.test(text)) throw new Error(`${name}: esbuild gives names in another way than it did.`);
    await writeFile(
      path,
      text.replace(NAMING, NAMING_OF_CLASSES).replaceAll(CLASS_NAMES_ITSELF, '__nameClass(this,'),
    );
  }
}

/** Moves a file or folder that was built into its place, unless the same is there. */
async function settle(name: string): Promise<void> {
  const built = join(BUILD_DIR, name);
  const place = join(OUT_DIR, name);
  if ((await hashTree(place)) === (await hashTree(built))) return;
  const old = join(BUILD_DIR, `${name}.old`);
  await rename(place, old).catch(() => {});
  await rename(built, place);
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
