import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

const require = createRequire(import.meta.url);
/** The published modules are minified. Source maps are not served. */
const published = (name: string) =>
  readFileSync(require.resolve(name), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
const own = readFileSync(join(import.meta.dirname, 'terminal.js'), 'utf8');

/** For the page of the terminal alone. Evaluated when the app is bundled, as `files.embed.ts`. */
export default {
  'terminal.js': transformSync(own, { loader: 'js', minify: true, legalComments: 'none' }).code,
  'xterm.mjs': published('@xterm/xterm/lib/xterm.mjs'),
  'xterm-fit.mjs': published('@xterm/addon-fit/lib/addon-fit.mjs'),
  'xterm.css': published('@xterm/xterm/css/xterm.css'),
};
