import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

/** Perl programs, evaluated when the agent is bundled (scripts/build.ts): the bundle contains their texts. */
export default {
  launcher: read('launcher.pl'),
  observeAsUsers: read('observe-as-users.pl'),
  accountLocks: read('account-locks.pl'),
  accountChild: read('account-child.pl'),
};
