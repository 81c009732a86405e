import { ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';

interface SmtpObserved {
  /** Undefined: the kernel and the file for the next boot differ. */
  readonly isOpen: boolean | undefined;
}

interface SmtpChange extends Change {
  readonly kind: 'open' | 'close';
}

/** Whether the account may connect to port 25 of other servers: only while it is active and its package allows it. */
export const smtpDriver: Driver<SmtpObserved, SmtpChange> = {
  name: 'smtp',
  buildsOn: ['user'],
  isShared: true,

  async observe(spec, host) {
    return { isOpen: await host.firewall.smtpIsOpen(ownerOf(spec)) };
  },

  plan({ desired_state, smtp_port_25 }, { isOpen }) {
    const shouldBeOpen = desired_state === 'active' && smtp_port_25;
    if (isOpen === shouldBeOpen) return [];
    return [
      shouldBeOpen
        ? { kind: 'open', summary: 'open port 25 of other servers' }
        : { kind: 'close', summary: 'close port 25 of other servers' },
    ];
  },

  async apply({ kind }, spec, host) {
    await host.firewall.setSmtp(ownerOf(spec), kind === 'open');
  },
};
