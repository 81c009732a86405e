import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { ACCOUNT_UNIT_PROPERTIES } from './account-unit.ts';
import type { Exec } from './exec.ts';
import type { Systemd } from './host.ts';
import type { Owner } from './owner.ts';
import { unitTmp } from './tmp-folders.ts';
import { left, type Trace, type Traced } from './trace.ts';

/** Longer than any channel: systemd ends a program that an agent forgot. */
const LONGEST_S = 13 * 3_600;
const UNITS = 'innkeeper-channel-';

/** A program that runs as an account, with its standard input and output. */
export interface AccountProgram {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when the program and everything that it started has ended. `failure`: why systemd did not start it. */
  readonly ended: Promise<{ failure: string | undefined }>;
  /** Kills the program and everything that it started. */
  kill(): Promise<void>;
}

export interface AccountPrograms extends Traced {
  /**
   * Starts a program of the agent's release as the account, in its slice. It sees its own home and no other, and the
   * /tmp of the account's PHP and apps. Suspension and removal of the account kill it.
   */
  start(owner: Owner, argv: readonly string[]): AccountProgram;
  /** Kills the programs of an earlier agent: nobody reads their output. */
  sweep(): Promise<void>;
}

/** Each program is a transient unit, so that systemd places it, limits it, and kills it with all its children. */
export class TransientPrograms implements AccountPrograms {
  readonly #exec: Exec;
  readonly #systemd: Systemd;

  constructor(exec: Exec, systemd: Systemd) {
    this.#exec = exec;
    this.#systemd = systemd;
  }

  start(owner: Owner, argv: readonly string[]): AccountProgram {
    const { uid, name } = owner;
    const unit = `${UNITS}${uid}-${randomBytes(6).toString('hex')}.service`;
    const home = `/home/${name}`;
    const properties = [
      ...ACCOUNT_UNIT_PROPERTIES,
      `RuntimeMaxSec=${LONGEST_S}`,
      'TemporaryFileSystem=/home',
      `BindPaths=${home}`,
      ...['/tmp', '/var/tmp'].map((seen) => `BindPaths=${unitTmp(uid)}:${seen}`),
    ];
    const ended = new AbortController();
    const { input, output, ...program } = this.#exec.converse(
      '/usr/bin/systemd-run',
      [
        ...['--quiet', '--no-ask-password', '--collect', '--wait', '--pipe', `--unit=${unit}`],
        ...[`--slice=user-${uid}.slice`, `--uid=${uid}`, `--gid=${uid}`, `--working-directory=${home}`],
        ...properties.map((property) => `--property=${property}`),
        ...['--', ...argv],
      ],
      ended.signal,
    );
    return {
      input,
      output,
      ended: program.ended.then(({ exitCode, stderr }) => {
        // systemd-run fails without having started anything with an exit code of 1 and a sentence.
        const failure = exitCode === 0 ? undefined : stderr.trim();
        return { failure: failure === '' ? undefined : failure };
      }),
      kill: async () => {
        ended.abort();
        await this.#end(unit);
      },
    };
  }

  async sweep(): Promise<void> {
    const units = [...(await this.#systemd.loaded(`${UNITS}*.service`)).keys()];
    await Promise.all(units.map((unit) => this.#end(unit)));
  }

  async #end(unit: string): Promise<void> {
    const { active } = await this.#systemd.state(unit);
    if (active === 'inactive') return;
    await this.#systemd.kill(unit);
    await this.#systemd.stop([unit]);
  }

  async traces(owner: Owner): Promise<Trace[]> {
    const units = await this.#systemd.loaded(`${UNITS}${owner.uid}-*.service`);
    return [...units.keys()].map((unit) => left('unit', unit));
  }
}
