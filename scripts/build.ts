import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DIST_LOCK, embedModules, hashTree, withFileLock } from '@innkeeper/testkit/machine';
import { build } from 'esbuild';
import { assembleAgentRelease } from './agent-release.ts';

/** The deployed bundles: one self-contained ES module for each app. It needs only the pinned Node.js. */
const BUNDLES = {
  'innkeeper-api': 'apps/api/src/main.ts',
  'innkeeper-agent': 'apps/agent/src/main.ts',
  'innkeeper-task': 'apps/agent/src/capabilities/apps/task/main.ts',
  'innkeeper-files': 'apps/agent/src/capabilities/files/program/main.ts',
  innctl: 'apps/innctl/src/main.ts',
} as const;

export type BundleName = keyof typeof BUNDLES;

/** Programs that the agent runs as an account. */
const PROGRAMS_OF_AGENT: readonly BundleName[] = ['innkeeper-task', 'innkeeper-files'];

const ROOT = join(import.meta.dirname, '..');
const OUT_DIR = join(ROOT, 'dist');
/** On the same file system as `dist/`, so that a built file can be renamed into place. */
const BUILD_DIR = join(ROOT, '.toolchain/build');

/** CommonJS packages inside an ES module need these three names. */
const COMMONJS_NAMES = [
  "import { createRequire as __createRequire } from 'node:module';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = import.meta.filename;',
  'const __dirname = import.meta.dirname;',
].join('\n');

/**
 * Bundles the named apps, or all, into `dist/<name>.mjs`. The agent's bundle also builds its programs and its release in
 * `dist/agent`. An unchanged result is not written, so that `up` and a test run of one checkout do not disturb each
 * other. Rejects with the compiler's error message.
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
      [...new Set<BundleName>([...names, ...(withAgent ? PROGRAMS_OF_AGENT : [])])].map(bundle),
    );
    if (withAgent) await assembleAgentRelease(BUILD_DIR, join(BUILD_DIR, 'agent'));
    for (const name of await readdir(BUILD_DIR)) await settle(name);
    await rm(BUILD_DIR, { recursive: true });
    return names.map((name) => join(OUT_DIR, `${name}.mjs`));
  });
}

/**
 * The helper with which esbuild restores the name of a function or class that bundling may have removed. It would do so
 * for every function that a request creates, which costs 10 % of the request's time. Some libraries read the name of a
 * class; none reads the name of a function.
 */
const NAMING =
  /\bvar __name=\((\w+),\s*(\w+)\)=>\s*(__defProp\(\1,\s*"name",\s*\{\s*value(?::\s*\2)?,\s*configurable:\s*true\s*\}\));/;
const NAMING_OF_CLASSES = 'var __name=($1)=>$1;var __nameClass=($1,$2)=>$3;';
/** A class sets its own name; anything else is named from outside. */
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
    // Comments and indentation are half of the bundle, and all of the bundle stays in memory.
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'eof',
    logLevel: 'silent',
    plugins: [embedModules],
  });
  for (const { path, text } of outputFiles) {
    if (!NAMING.test(text)) throw new Error(`${name}: esbuild gives names in another way than it did.`);
    await writeFile(
      path,
      text.replace(NAMING, NAMING_OF_CLASSES).replaceAll(CLASS_NAMES_ITSELF, '__nameClass(this,'),
    );
  }
}

/** Moves a built file or folder into place, unless an equal one is already there. */
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
    console.error(
      `Unknown bundle: ${unknown.join(', ')}. The bundles are: ${Object.keys(BUNDLES).join(', ')}.`,
    );
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
