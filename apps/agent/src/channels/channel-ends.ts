import type { Readable, Writable } from 'node:stream';
import type { AccountSpec, ChannelProgram, ChannelRefusal } from '@innkeeper/protocol';
import type { TerminalSize } from '@innkeeper/protocol/wire';
import { ownerOf } from '../capabilities/claim.ts';
import { startDump } from '../capabilities/databases/dump/dump.ts';
import type { Terminals } from '../capabilities/terminal/host.ts';
import type { AccountPrograms } from '../node/account-programs.ts';

/** The end of a channel on this server: the streams of a program. */
export interface ChannelEnd {
  readonly input: Writable;
  readonly output: Readable;
  resize?(size: TerminalSize): void;
  /** Called once, when the channel has closed. */
  release(): Promise<void>;
}

const FILES = ['/opt/innkeeper/agent/node', '/opt/innkeeper/agent/innkeeper-files.mjs'];

/** Whether an account may have a channel of this kind now. */
export function isAllowed({ desired_state, terminal_access }: AccountSpec, kind: ChannelProgram['kind']) {
  return desired_state === 'active' && (kind !== 'terminal' || terminal_access);
}

/** Starts what runs at the end of a channel, or returns why it does not. */
export function createOpenEnd(host: { accountPrograms: AccountPrograms; terminals: Terminals }) {
  return async (spec: AccountSpec, program: ChannelProgram): Promise<ChannelEnd | ChannelRefusal> => {
    const owner = ownerOf(spec);
    if (program.kind === 'terminal') return (await host.terminals.open(owner, program)) ?? 'too_many';
    if (program.kind === 'database-export' || program.kind === 'database-import') {
      const { database_id } = program;
      const database = spec.databases.find((one) => one.database_id === database_id);
      if (database?.desired_state !== 'active') return 'no_database';
      return startDump(host.accountPrograms, owner, database, modeOf(program));
    }
    const { input, output, kill, ended } = host.accountPrograms.start(owner, FILES);
    ended.then(({ failure }) => {
      if (failure !== undefined) output.destroy(new Error(failure));
    });
    return { input, output, release: kill };
  };
}

function modeOf(program: Extract<ChannelProgram, { database_id: number }>) {
  if (program.kind === 'database-export') return 'export';
  return program.is_gzip ? 'import-gzip' : 'import';
}
