import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../node/changes.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';
import type { LoginFiles } from './host.ts';

/** The files of FTP logins, and the FTP server, of a fake hosting server. */
export class FakeFtpLogins {
  readonly #byUid = new Map<number, LoginFiles>();
  /** Logins whose sessions were ended, in order. */
  readonly ended: string[] = [];
  isServing = false;

  host(changes: Changes): Pick<Host, 'ftpLogins'> {
    return {
      ftpLogins: {
        read: async ({ uid }) => this.#byUid.get(uid),
        write: async ({ uid }, folders, keys) => {
          this.#byUid.set(uid, { folders, keys: new Map(keys) });
          changes.record();
        },
        remove: async ({ uid }) => {
          this.#byUid.delete(uid);
          changes.record();
          if (this.#byUid.size === 0) this.isServing = false;
        },
        endSessions: async (_owner, names) => {
          this.ended.push(...names);
          changes.record();
        },
        isServed: async () => this.isServing,
        serve: async () => {
          this.isServing = true;
          changes.record();
        },
      },
    };
  }

  traces({ uid }: Owner): string[] {
    return this.#byUid.has(uid) ? ['configuration'] : [];
  }

  tamperings({ uid }: AccountSpec) {
    const change = (part: Partial<LoginFiles>) => () => {
      this.#byUid.set(uid, { ...this.#byUid.get(uid)!, ...part });
    };
    return {
      'folder of an FTP login changed': change({ folders: 'x\ty\tz\n' }),
      'keys of an FTP login removed': change({ keys: new Map() }),
      'FTP server stopped': () => {
        this.isServing = false;
      },
    };
  }
}
