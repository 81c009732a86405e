import { setTimeout as delay } from 'node:timers/promises';
import { ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';
import { allowedOf, wantedOf } from './databases-driver.ts';
import type { DatabaseState } from './host.ts';

type OldPasswordChange = Change &
  ({ readonly kind: 'wait' } | { readonly kind: 'forget-old'; readonly name: string; readonly host: string });

/** A request that has read the old password connects within this time. */
const REQUESTS_MS = 500;

/**
 * Ends old passwords of databases. It runs after every driver that passes on a new password, so no client with the old
 * one is refused in the meantime. Old passwords end even if the new one could not be passed on.
 */
export const oldPasswordsDriver: Driver<readonly DatabaseState[], OldPasswordChange> = {
  name: 'old-passwords',
  buildsOn: ['user', 'databases'],

  async observe(spec, host) {
    const old = host.databases.withOldPasswords(spec.databases.map(({ db_name }) => db_name));
    if (old.length === 0) return [];
    const allowed = allowedOf(spec, host);
    const wanted = spec.databases.filter(({ db_name }) => old.includes(db_name));
    return await host.databases.observe(
      ownerOf(spec),
      wanted.map((database) => wantedOf(database, allowed)),
    );
  },

  plan(spec, states) {
    const ours = states.filter(({ claimedBy }) => claimedBy === spec.uid);
    const forget = ours.flatMap(({ name, users }) =>
      users.flatMap(({ host, takesOld }): OldPasswordChange[] =>
        takesOld
          ? [{ kind: 'forget-old', name, host, summary: `end the old password of ${name} for ${host}` }]
          : [],
      ),
    );
    const hasApps = spec.apps.some(({ desired_state }) => desired_state !== 'absent');
    if (forget.length === 0 || !hasApps) return forget;
    return [{ kind: 'wait', summary: 'let requests end that have read an old password' }, ...forget];
  },

  async apply(change, spec, host) {
    if (change.kind === 'wait') {
      await delay(REQUESTS_MS);
      return;
    }
    const database = spec.databases.find(({ db_name }) => db_name === change.name);
    if (database === undefined) return;
    await host.databases.forgetOld(ownerOf(spec), wantedOf(database, allowedOf(spec, host)), change.host);
  },
};
