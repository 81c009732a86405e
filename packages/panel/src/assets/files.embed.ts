import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

const own = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

/** A tenth of what a first visit loads is comments, spaces and long names. */
const minified = (name: string, loader: 'css' | 'js') =>
  transformSync(own(name), { loader, minify: true, legalComments: 'none' }).code;

/** Evaluated when the app is bundled (scripts/build.ts): the bundle contains these texts. */
export default {
  'panel.css': minified('panel.css', 'css'),
  'panel.js': minified('panel.js', 'js'),
  'files.css': minified('files.css', 'css'),
  'files.js': minified('files.js', 'js'),
  'icon.svg': own('icon.svg'),
  'icons.svg': own('icons.svg'),
  'app-marks.svg': own('app-marks.svg'),
};
