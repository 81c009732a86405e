import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../node/changes.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';

/** The firewall of a fake hosting server. */
export class FakeFirewall {
  /** Uids that may use port 25. */
  readonly smtp = new Set<number>();

  host(changes: Changes): Pick<Host, 'firewall'> {
    return {
      firewall: {
        ensure: async () => false,
        smtpIsOpen: async ({ uid }) => this.smtp.has(uid),
        setSmtp: async ({ uid }, isOpen) => {
          if (isOpen) this.smtp.add(uid);
          else this.smtp.delete(uid);
          changes.record();
        },
      },
    };
  }

  traces({ uid }: Owner): string[] {
    return this.smtp.has(uid) ? ['open port 25'] : [];
  }

  tamperings({ uid }: AccountSpec) {
    return { 'port 25 closed by hand': () => void this.smtp.delete(uid) };
  }
}
