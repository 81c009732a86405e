import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const own = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

/** Evaluated when the app is bundled (scripts/build.ts): the bundle contains these texts. */
export default {
  'panel.css': own('panel.css'),
  'panel.js': own('panel.js'),
  'htmx.js': readFileSync(require.resolve('htmx.org/dist/htmx.min.js'), 'utf8'),
  'icon.svg': own('icon.svg'),
  'icons.svg': own('icons.svg'),
};
