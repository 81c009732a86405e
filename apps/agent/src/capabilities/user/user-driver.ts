import { conflict } from '../../node/host-error.ts';
import { type Claim, observeClaim, ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';
import { membershipObstacle } from './account-tables.ts';

interface UserChange extends Change {
  readonly kind: 'put' | 'remove';
}

/**
 * The Linux user and group of an account. Both have the spec's uid. This driver alone does not allow the user to log
 * in.
 */
export const userDriver: Driver<Claim, UserChange> = {
  name: 'user',
  isShared: true,

  observe: observeClaim,

  plan(spec, { entries, obstacle, nameIsForeign, uidIsForeign }) {
    const { passwd, logins, groups, memberOf, shadow, hasGroupShadow } = entries;
    if (spec.desired_state === 'absent') {
      if (nameIsForeign || uidIsForeign) return [];
      const isLeft =
        passwd.length + logins.length + groups.length + memberOf.length > 0 ||
        shadow !== undefined ||
        hasGroupShadow;
      return isLeft ? [{ kind: 'remove', summary: `remove the user ${spec.linux_user}` }] : [];
    }
    if (obstacle !== undefined) throw conflict(obstacle);
    const membership = membershipObstacle(spec.linux_user, memberOf);
    if (membership !== undefined && spec.desired_state === 'active') throw conflict(membership);
    const user = passwd[0];
    const isRight = user?.gid === spec.uid && groups.length === 1 && shadow !== undefined && hasGroupShadow;
    return isRight ? [] : [{ kind: 'put', summary: `make the user ${spec.linux_user} with uid ${spec.uid}` }];
  },

  async apply({ kind }, spec, host) {
    const owner = ownerOf(spec);
    await host.accounts.edit({ kind, owner, accountId: spec.account_id });
  },
};
