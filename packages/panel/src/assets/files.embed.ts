import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const own = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

/** Evaluated when the app is bundled (scripts/build.ts): the bundle contains these texts. */
export default {
  'panel.css': own('panel.css'),
  'panel.js': own('panel.js'),
  'icon.svg': own('icon.svg'),
  'icons.svg': own('icons.svg'),
};
