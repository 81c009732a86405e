import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Evaluated when the app is bundled (scripts/build.ts): the bundle contains these texts. */
export default {
  script: readFileSync(require.resolve('swagger-ui-dist/swagger-ui-bundle.js'), 'utf8'),
  style: readFileSync(require.resolve('swagger-ui-dist/swagger-ui.css'), 'utf8'),
};
