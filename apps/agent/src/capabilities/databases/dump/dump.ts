import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { DatabaseSpec } from '@innkeeper/protocol';
import type { AccountPrograms } from '../../../node/account-programs.ts';
import type { Owner } from '../../../node/owner.ts';

const PROGRAM = '/opt/innkeeper/agent/innkeeper-dump.pl';

/** A running export or import. */
interface Dump {
  /** SQL of an import. */
  readonly input: Writable;
  /** The compressed SQL of an export: ends only if it is complete, and fails otherwise. Of an import `ok`, or the error. */
  readonly output: Readable;
  release(): Promise<void>;
}

/**
 * Starts `dump.pl` as the account, in its slice. It connects as the user of the database, so what it may do is what the
 * account may do.
 */
export function startDump(
  programs: Pick<AccountPrograms, 'start'>,
  owner: Owner,
  { db_name, password }: Pick<DatabaseSpec, 'db_name' | 'password'>,
  mode: 'export' | 'import' | 'import-gzip',
): Dump {
  const program = programs.start(owner, ['/usr/bin/perl', PROGRAM, mode, db_name]);
  program.input.on('error', () => {});
  program.input.write(optionFile(db_name, password));
  const output = new PassThrough();
  program.output.pipe(output, { end: false });
  const read = new Promise<void>((resolve) => void program.output.once('close', resolve));
  void Promise.all([program.ended, read]).then(([{ failure }]) => {
    if (failure === undefined) output.end();
    else output.destroy(new Error(failure));
  });
  return { input: program.input, output, release: program.kill };
}

/** The spec's schema allows no character with a meaning in option files. */
function optionFile(user: string, password: string): Buffer {
  const text = Buffer.from(`[client]\nuser=${user}\npassword=${password}\nhost=localhost\n`);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text]);
}
