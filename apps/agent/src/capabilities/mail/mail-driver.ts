import { observeClaim, ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';
import { accountMailSettings } from './account-mail-settings.ts';
import type { QueuedOf } from './host.ts';

interface MailObserved {
  readonly settings: string | undefined;
  readonly queued: QueuedOf;
  readonly hasCounters: boolean;
  readonly uidIsForeign: boolean;
}

interface MailChange extends Change {
  readonly kind: 'write' | 'remove' | 'hold' | 'release' | 'delete' | 'forget';
}

const changes = {
  write: { kind: 'write', summary: 'write the limits of the account’s mail' },
  remove: { kind: 'remove', summary: 'take sending mail away' },
  hold: { kind: 'hold', summary: 'hold the account’s mail in the queue' },
  release: { kind: 'release', summary: 'release the account’s mail in the queue' },
  delete: { kind: 'delete', summary: 'delete the account’s mail in the queue' },
  forget: { kind: 'forget', summary: 'remove the counters of the account’s mail' },
} as const satisfies Record<string, MailChange>;

/**
 * Whether and how much an account may send, and what becomes of its mail in the queue: it is held while the account is
 * suspended, and deleted with it. The settings come first, so that no mail arrives after the queue was looked at.
 */
export const mailDriver: Driver<MailObserved, MailChange> = {
  name: 'mail',
  buildsOn: ['user'],

  async observe(spec, host) {
    const owner = ownerOf(spec);
    const [settings, queued, hasCounters, { uidIsForeign }] = await Promise.all([
      host.mail.read(owner),
      host.mail.queued(owner),
      spec.desired_state === 'absent' ? host.mail.hasCounters(owner) : false,
      observeClaim(spec, host),
    ]);
    return { settings, queued, hasCounters, uidIsForeign };
  },

  plan(spec, { settings, queued, hasCounters, uidIsForeign }) {
    if (spec.desired_state !== 'active' && uidIsForeign) return [];
    const wanted = accountMailSettings(spec);
    const plan: MailChange[] = [];
    if (wanted === undefined && settings !== undefined) plan.push(changes.remove);
    if (wanted !== undefined && settings !== wanted) plan.push(changes.write);
    if (spec.desired_state === 'active' && queued.held > 0) plan.push(changes.release);
    if (spec.desired_state === 'suspended' && queued.waiting > 0) plan.push(changes.hold);
    if (spec.desired_state === 'absent' && queued.waiting + queued.held > 0) plan.push(changes.delete);
    if (spec.desired_state === 'absent' && hasCounters) plan.push(changes.forget);
    return plan;
  },

  async apply({ kind }, spec, host) {
    const owner = ownerOf(spec);
    if (kind === 'write') await host.mail.write(owner, accountMailSettings(spec) ?? '');
    else if (kind === 'remove') await host.mail.remove(owner);
    else if (kind === 'hold') await host.mail.hold(owner);
    else if (kind === 'release') await host.mail.release(owner);
    else if (kind === 'delete') await host.mail.deleteQueued(owner);
    else await host.mail.removeCounters(owner);
  },
};
