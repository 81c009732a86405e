import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const PACKAGE = join(import.meta.dirname, '../..');
const CACHE = join(PACKAGE, 'node_modules/.cache');
/** What the bundle is made of. The packages have exact versions. */
const SOURCES = ['src/assets/editor/editor.js', 'src/assets/editor/languages.js', 'package.json'];

/** The editor with CodeMirror in one file. Every process of a test imports it, so it is bundled once for each state of its sources. */
function bundled(): string {
  const hash = createHash('sha256');
  for (const source of SOURCES) hash.update(readFileSync(join(PACKAGE, source)));
  const cached = join(CACHE, `editor-${hash.digest('hex').slice(0, 16)}.js`);
  try {
    return readFileSync(cached, 'utf8');
  } catch {
    const text = bundle();
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(`${cached}.${process.pid}`, text);
    renameSync(`${cached}.${process.pid}`, cached);
    return text;
  }
}

function bundle(): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(PACKAGE, 'src/assets/editor/editor.js')],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
  });
  return outputFiles[0]!.text;
}

/** For pages with a file that is edited. Evaluated when the app is bundled, as `files.embed.ts`. */
export default { 'editor.js': bundled() };
