/**
 * Checks that every file of this repository that the documentation names exists: paths and file names in backquotes,
 * and links. `<name>` and `*` stand for any text without a slash, `{a,b}` for one of several.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENTS = ['README.md', 'AGENTS.md', 'docs/**/*.md'];
const FOLDERS = ['apps', 'packages', 'scripts', 'docs', 'deploy', 'proto'];
const inFolder = new RegExp(`^(?:\\./)?(?:${FOLDERS.join('|')})/`);
/** A file of source text, by its path or its name. A path that begins with `/`, `~` or `.` is elsewhere. */
const sourceFile = /^[\w@][^\s:]*\.(?:tsx?|sh|pl|proto|md|css)$/;

/** Returns the repository paths that a document names, in order. */
export function pathsIn(markdown: string, document: string): string[] {
  const prose = markdown.replaceAll(/^```.*?^```/gms, '');
  const quoted = [...prose.matchAll(/`([^`\n]+)`/g)]
    .map(([, text = '']) => text.replace(/^\.\//, '').replace(/ .*/, '').replace(/\/$/, ''))
    .filter((text) => inFolder.test(text) || sourceFile.test(text));
  const links = [...prose.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => normalize(join(dirname(document), target)));
  return [...quoted, ...links];
}

/** Returns whether the path, or the end of a path, is a file or folder in the list. */
export function exists(path: string, files: readonly string[]): boolean {
  const pattern = path
    .replaceAll(/[.+^$()|[\]\\]/g, '\\$&')
    .replaceAll(/<[^>]*>/g, '[^/]+')
    .replaceAll('**', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '.*')
    .replaceAll(/\{([^}]*)\}/g, (_, choices: string) => `(?:${choices.replaceAll(',', '|')})`);
  const matching = new RegExp(`${inFolder.test(path) ? '^' : '(?:^|/)'}${pattern}(?:/|$)`);
  return files.some((file) => matching.test(file));
}

if (import.meta.main) {
  const files = globSync([...FOLDERS.map((folder) => `${folder}/**/*`), '*'], {
    cwd: ROOT,
    exclude: ['**/node_modules/**', 'node_modules'],
  });
  let checked = 0;
  const missing = globSync(DOCUMENTS, { cwd: ROOT }).flatMap((document) => {
    const paths = pathsIn(readFileSync(join(ROOT, document), 'utf8'), document);
    checked += paths.length;
    return [...new Set(paths)]
      .filter((path) => !exists(path, files))
      .map((path) => `${document}: ${path} does not exist. Name the file's present path.`);
  });
  for (const sentence of missing) console.error(sentence);
  if (missing.length > 0) process.exit(1);
  console.log(`documentation: ${checked} paths exist`);
}
