import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Evaluated when the agent is bundled (scripts/build.ts): the bundle contains this text. */
export default { quotaState: readFileSync(join(import.meta.dirname, 'quota-state.pl'), 'utf8') };
