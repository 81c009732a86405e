import type { Cron, CronState } from '../src/capabilities/cron/host.ts';
import type { Changes } from '../src/node/changes.ts';

interface FakeTable {
  table?: CronState['table'];
  commands: Map<number, string>;
  folder: boolean;
}

/** The crontabs and the command files of a fake hosting server. */
export class FakeCron {
  readonly #byUid = new Map<number, FakeTable>();

  host(changes: Changes): Cron {
    const edit = (uid: number, change: (state: FakeTable) => void) => {
      change(this.#at(uid));
      changes.record();
    };
    return {
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
  }

  has(uid: number): boolean {
    const { table, folder } = this.#at(uid);
    return folder || (table !== undefined && !table.foreign);
  }

  tamper(uid: number, change: (state: FakeTable) => void): void {
    change(this.#at(uid));
  }

  addForeign(uid: number): void {
    this.#at(uid).table = { text: 'mine', foreign: true, accessRight: true };
  }

  removeForeign(uid: number): void {
    if (this.#at(uid).table?.foreign === true) delete this.#at(uid).table;
  }

  describe(uid: number): unknown {
    return this.#at(uid).table;
  }

  #at(uid: number): FakeTable {
    const known = this.#byUid.get(uid) ?? { commands: new Map(), folder: false };
    this.#byUid.set(uid, known);
    return known;
  }
}
