import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../node/changes.ts';
import { OWNERSHIP_HEADER } from '../../node/durable-files.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';
import type { CronState } from './host.ts';

interface FakeTable {
  table?: CronState['table'];
  commands: Map<number, string>;
  folder: boolean;
}

/** The crontabs and the command files of a fake hosting server. */
export class FakeCron {
  readonly #byUid = new Map<number, FakeTable>();

  host(changes: Changes): Pick<Host, 'cron'> {
    const edit = (uid: number, change: (state: FakeTable) => void) => {
      change(this.#at(uid));
      changes.record();
    };
    const cron: Host['cron'] = {
      observe: async ({ uid }) => {
        const { table, commands, folder } = this.#at(uid);
        return { table, folder, commands: [...commands].map(([jobId, command]) => ({ jobId, command })) };
      },
      writeCommand: async ({ uid }, { jobId, command }) =>
        edit(uid, (it) => {
          it.folder = true;
          it.commands.set(jobId, command);
        }),
      removeCommand: async ({ uid }, jobId) => edit(uid, (it) => void it.commands.delete(jobId)),
      removeFolder: async ({ uid }) =>
        edit(uid, (it) => {
          it.commands.clear();
          it.folder = false;
        }),
      writeTable: async ({ uid }, text) =>
        edit(uid, (it) => {
          it.table = { text, foreign: false, accessRight: true };
        }),
      removeTable: async ({ uid }) => edit(uid, (it) => void delete it.table),
    };
    return { cron };
  }

  traces({ uid }: Owner): string[] {
    const { table, folder } = this.#at(uid);
    return folder || (table !== undefined && !table.foreign) ? ['configuration'] : [];
  }

  tamperings({ uid, cron_jobs }: AccountSpec) {
    const state = this.#at(uid);
    const text = `# ${OWNERSHIP_HEADER}\n* * * * * root true\n`;
    return {
      'cron table changed': () => {
        state.table = { text, foreign: false, accessRight: true };
      },
      'cron command changed': () => void state.commands.set(cron_jobs[0]!.cron_job_id, 'else'),
      'cron table removed': () => void delete state.table,
    };
  }

  obstacles({ uid }: AccountSpec) {
    const state = this.#at(uid);
    return {
      'a foreign cron table': {
        put: () => {
          state.table = { text: 'mine', foreign: true, accessRight: true };
        },
        describe: () => state.table,
        clear: () => void delete state.table,
      },
    };
  }

  #at(uid: number): FakeTable {
    const known = this.#byUid.get(uid) ?? { commands: new Map(), folder: false };
    this.#byUid.set(uid, known);
    return known;
  }
}
