import type { AccountSpec } from '@innkeeper/protocol';
import { type Claim, observeClaim, ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';

interface LoginChange extends Change {
  readonly kind: 'set-login';
}

interface Login {
  readonly shell: string;
  readonly password: string;
  readonly expires: string;
}

const EXPIRED = '1';
const NEVER = '';
const LOCKED = '!';

/**
 * Enforces which accounts may log in. An account with an expiry date in 1970 gets no session of any kind, including
 * cron's: PAM checks the expiry even when the key or the password is right.
 */
export const loginDriver: Driver<Claim, LoginChange> = {
  name: 'login',
  isShared: true,
  buildsOn: ['remains', 'user', 'quota', 'home', 'slice', 'processes'],

  observe: observeClaim,

  plan(spec, { entries, obstacle }) {
    const user = entries.passwd[0];
    const { shadow } = entries;
    if (obstacle !== undefined || user === undefined || shadow === undefined) return [];
    const wanted = loginOf(spec);
    const isRight =
      user.shell === wanted.shell && shadow.password === wanted.password && shadow.expires === wanted.expires;
    const summary = spec.desired_state === 'active' ? 'set shell and password' : 'let nobody log in';
    return isRight ? [] : [{ kind: 'set-login', summary }];
  },

  async apply(_change, spec, host) {
    await host.accounts.edit({
      kind: 'set-login',
      owner: ownerOf(spec),
      accountId: spec.account_id,
      ...loginOf(spec),
    });
  },
};

function loginOf(spec: AccountSpec): Login {
  const expires = spec.desired_state === 'active' ? NEVER : EXPIRED;
  if (!spec.terminal_access || spec.desired_state === 'absent')
    return { shell: '/usr/sbin/nologin', password: LOCKED, expires };
  return { shell: '/bin/bash', password: spec.password_hash, expires };
}
