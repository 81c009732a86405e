import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../node/changes.ts';
import { OWNERSHIP_HEADER } from '../../node/durable-files.ts';
import { conflict, HostError } from '../../node/host-error.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';
import { NO_SETTINGS } from './site-settings-ini.ts';

interface FakePool {
  config?: { text: string; foreign: boolean };
  sites?: { text: string; foreign: boolean };
  enabled: boolean;
  unitActive: boolean;
  socketFile: boolean;
  /** The configuration that the running master has loaded. */
  running?: string;
}

const textOf = ({ config, sites }: FakePool) => `${config?.text}${sites?.text}`;

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
          const pool = this.pool(uid);
          const { config, sites, enabled, unitActive, socketFile, running } = pool;
          return {
            config: config === undefined ? undefined : { ...config, accessRight: true },
            sites: sites === undefined ? undefined : { ...sites, accessRight: true },
            enabled,
            listening: unitActive && socketFile,
            present: enabled || unitActive || socketFile || running !== undefined,
            up: unitActive || running !== undefined,
            current: running === undefined ? undefined : running === textOf(pool),
          };
        },
        writeConfig: async ({ uid }, { pool: text, sites }) => {
          const pool = this.pool(uid);
          if (pool.config?.foreign === true) throw conflict('The configuration is foreign.');
          pool.config = { text, foreign: !text.includes(OWNERSHIP_HEADER) };
          if (sites !== null || pool.sites !== undefined)
            pool.sites = { text: sites ?? NO_SETTINGS, foreign: false };
          changes.record();
        },
        removeConfig: change((pool) => {
          delete pool.config;
          delete pool.sites;
        }),
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
      'PHP settings of sites changed': () => {
        pool.sites = { text: `; ${OWNERSHIP_HEADER}\nelse`, foreign: false };
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
