import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../node/changes.ts';
import { OWNERSHIP_HEADER } from '../../node/durable-files.ts';
import { conflict, HostError } from '../../node/host-error.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';

interface FakePool {
  config?: { text: string; foreign: boolean };
  enabled: boolean;
  unitActive: boolean;
  socketFile: boolean;
  /** The configuration that the running master has loaded. */
  running?: string;
}

/** PHP-FPM of a fake hosting server. */
export class FakePhp {
  readonly #pools = new Map<number, FakePool>();

  host(changes: Changes): Pick<Host, 'php'> {
    const change = (edit: (pool: FakePool) => void) => async (owner: Owner) => {
      edit(this.pool(owner.uid));
      changes.record();
    };
    const down = change((pool) => {
      delete pool.running;
      pool.unitActive = false;
      pool.socketFile = false;
    });
    return {
      php: {
        observe: async ({ uid }) => {
          const { config, enabled, unitActive, socketFile, running } = this.pool(uid);
          return {
            config: config === undefined ? undefined : { ...config, accessRight: true },
            enabled,
            listening: unitActive && socketFile,
            present: enabled || unitActive || socketFile || running !== undefined,
            up: unitActive || running !== undefined,
            current: running === undefined ? undefined : running === config?.text,
          };
        },
        writeConfig: async ({ uid }, text) => {
          if (this.pool(uid).config?.foreign === true) throw conflict('The configuration is foreign.');
          this.pool(uid).config = { text, foreign: !text.includes(OWNERSHIP_HEADER) };
          changes.record();
        },
        removeConfig: change((pool) => void delete pool.config),
        enable: change((pool) => {
          pool.enabled = true;
        }),
        disable: change((pool) => {
          pool.enabled = false;
        }),
        listen: async ({ uid }) => {
          const pool = this.pool(uid);
          if (pool.unitActive || pool.running !== undefined) throw new HostError('Failed', 'It is up.');
          pool.unitActive = true;
          pool.socketFile = true;
          changes.record();
        },
        close: down,
        retire: change((pool) => void delete pool.running),
        stop: down,
        services: async () => [],
      },
    };
  }

  pool(uid: number): FakePool {
    const known = this.#pools.get(uid) ?? { enabled: false, unitActive: false, socketFile: false };
    this.#pools.set(uid, known);
    return known;
  }

  tamperings({ uid }: AccountSpec) {
    const pool = this.pool(uid);
    const loseSocket = () => {
      pool.socketFile = false;
    };
    return {
      'socket file removed': loseSocket,
      'socket opened to all': loseSocket,
      'folder of sockets removed': loseSocket,
      'socket no longer enabled': () => {
        pool.enabled = false;
      },
      'PHP configuration changed': () => {
        pool.config = { text: `; ${OWNERSHIP_HEADER}\nelse`, foreign: false };
      },
    };
  }

  obstacles({ uid }: AccountSpec) {
    return {
      'a foreign PHP configuration': {
        put: () => {
          this.pool(uid).config = { text: 'mine', foreign: true };
        },
        describe: () => this.pool(uid).config,
        clear: () => void this.#pools.delete(uid),
      },
    };
  }
}
