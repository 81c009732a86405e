import type { Readable, Writable } from 'node:stream';
import type { AccountSpec, ChannelProgram } from '@innkeeper/protocol';
import type { TerminalSize } from '@innkeeper/protocol/wire';
import type { Terminals } from '../capabilities/terminal/host.ts';
import type { AccountPrograms } from '../node/account-programs.ts';
import type { Owner } from '../node/owner.ts';

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

/** Starts what runs at the end of a channel. Undefined: the account has as many as it may have. */
export function createOpenEnd(host: { accountPrograms: AccountPrograms; terminals: Terminals }) {
  return async (owner: Owner, program: ChannelProgram): Promise<ChannelEnd | undefined> => {
    if (program.kind === 'terminal') return await host.terminals.open(owner, program);
    const { input, output, kill, ended } = host.accountPrograms.start(owner, FILES);
    ended.then(({ failure }) => {
      if (failure !== undefined) output.destroy(new Error(failure));
    });
    return { input, output, release: kill };
  };
}
