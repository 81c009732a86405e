import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Changes } from '../../node/changes.ts';
import { coalesce, type Request } from '../../node/coalesce.ts';
import { replaceFile } from '../../node/durable-files.ts';
import type { Exec } from '../../node/exec.ts';
import { HostError } from '../../node/host-error.ts';
import type { Owner } from '../../node/owner.ts';
import { runShared } from '../../node/step-signal.ts';
import { left, type Trace, type Traced } from '../../node/trace.ts';
import { FIREWALL_TABLE, type FirewallSettings, firewallTable, uidsWithSmtp } from './firewall-table.ts';
import type { Firewall } from './host.ts';

const FILE = '/etc/innkeeper/firewall.nft';
const UNIT = 'innkeeper-firewall.service';
const NFT = '/usr/sbin/nft';
/** nft prints this for a missing table. */
const NO_TABLE = 'No such file or directory';
/** Only CAP_NET_ADMIN may use nftables, and the agent does not have it: so systemd starts the program with it. */
const BY_SYSTEMD = [
  ...['--quiet', '--collect', '--wait', '--pipe', '--no-ask-password', '--description=Read the firewall'],
  ...['--property=CapabilityBoundingSet=CAP_NET_ADMIN', '--property=NoNewPrivileges=yes'],
];
const LIST = ['--stateless', 'list', 'table', 'inet', FIREWALL_TABLE];

export interface FirewallTools {
  readonly exec: Exec;
  readonly changes: Changes;
  /** The current settings of the server. */
  readonly settings: () => Promise<FirewallSettings>;
  /** Default: the file that the unit reads, and Debian's program. */
  readonly places?: { readonly file: string; readonly nft: string };
}

/** A check of the whole table, or a change of one account. */
type FirewallRequest = 'check' | { readonly uid: number; readonly isOpen: boolean };

/**
 * The agent's nftables table. Its unit loads the file at boot before the network starts, and again when the agent has
 * written a new one. The next `ensure` finds manual changes and restores the table. That repair belongs to the server
 * and does not count among the changes of accounts.
 *
 * The file and the kernel both contain the uids with port 25. The agent reads both once and keeps them in memory: an
 * unchanged account runs no program, and accounts that change concurrently share one load.
 */
export class NftFirewall implements Firewall, Traced {
  readonly #tools: FirewallTools;
  readonly #file: string;
  readonly #nft: string;
  readonly #ask = coalesce<FirewallRequest, boolean>((requests) => this.#answer(requests));
  #settings: FirewallSettings | undefined;
  #firstRead: Promise<void> | undefined;
  /** Uids with port 25 in the file. */
  #inFile: ReadonlySet<number> = new Set();
  /** Uids with port 25 in the kernel, as last listed. */
  #inKernel: ReadonlySet<number> = new Set();
  /** What the kernel lists while it has the file's table. */
  #expected: string | undefined;

  constructor(tools: FirewallTools) {
    this.#tools = tools;
    this.#file = tools.places?.file ?? FILE;
    this.#nft = tools.places?.nft ?? NFT;
  }

  async ensure(): Promise<boolean> {
    return await this.#ask('check');
  }

  async smtpIsOpen(owner: Owner): Promise<boolean | undefined> {
    await this.#readOnce();
    const isOpen = this.#inFile.has(owner.uid);
    return this.#inKernel.has(owner.uid) === isOpen ? isOpen : undefined;
  }

  async setSmtp(owner: Owner, isOpen: boolean): Promise<void> {
    await this.#ask({ uid: owner.uid, isOpen });
  }

  async traces(owner: Owner): Promise<Trace[]> {
    const isOpen = await this.smtpIsOpen(owner);
    return isOpen === false ? [] : [left('open port 25', `${owner.uid}`)];
  }

  async #answer(requests: readonly Request<FirewallRequest, boolean>[]): Promise<void> {
    await this.#readOnce();
    const isCheck = requests.some(({ input }) => input === 'check');
    const uids = new Set(this.#inFile);
    for (const { input } of requests) {
      if (input === 'check') continue;
      if (input.isOpen) uids.add(input.uid);
      else uids.delete(input.uid);
    }
    let hadToLoad = false;
    let failure: unknown;
    try {
      // A change of one account reuses the settings of the last check, so it does not wait for a name server.
      if (isCheck || this.#settings === undefined) this.#settings = await this.#tools.settings();
      const record = requests.some(({ input }) => input !== 'check')
        ? () => this.#tools.changes.record()
        : () => {};
      hadToLoad = await this.#hold(firewallTable(this.#settings, uids), record);
    } catch (error) {
      failure = error;
    }
    for (const { input, resolve, reject } of requests) {
      const isDone =
        input === 'check'
          ? failure === undefined
          : this.#inFile.has(input.uid) === input.isOpen && this.#inKernel.has(input.uid) === input.isOpen;
      if (isDone) resolve(hadToLoad);
      else
        reject(failure ?? new HostError('Failed', `The firewall in the kernel differs from ${this.#file}.`));
    }
  }

  /**
   * Returns whether the file or the kernel's table had to be replaced. Throws HostError where the kernel has no
   * nftables, or rejects the table.
   */
  async #hold(table: string, record: () => void): Promise<boolean> {
    const isFileRight = (await this.#read()) === table;
    if (!isFileRight) {
      await replaceFile(this.#file, table, { mode: 0o600, gid: 0 });
      this.#inFile = uidsWithSmtp(table);
      this.#expected = undefined;
      record();
    }
    if (!existsSync(this.#nft))
      throw new HostError('Failed', `${this.#nft} is missing: run the installer again.`, {
        retryable: false,
      });
    this.#expected ??= await this.#listAlone();
    if ((await this.#list()) === this.#expected) return !isFileRight;
    try {
      await this.#tools.exec.run('/usr/bin/systemctl', ['reload-or-restart', '--', UNIT], {
        timeoutMs: 30_000,
      });
    } catch (error) {
      await this.#list().catch(() => undefined);
      throw error;
    }
    record();
    if ((await this.#list()) !== this.#expected)
      throw new HostError(
        'Failed',
        `The table ${FIREWALL_TABLE} in the kernel is not the one of ${this.#file}.`,
      );
    return true;
  }

  /** Reads the state at the agent's start. A missing table is an error of `ensure`, not of each account. */
  async #readOnce(): Promise<void> {
    this.#firstRead ??= runShared(async () => {
      this.#inFile = uidsWithSmtp((await this.#read()) ?? '');
      if (existsSync(this.#nft)) await this.#list().catch(() => undefined);
    });
    await this.#firstRead;
  }

  async #read(): Promise<string | undefined> {
    return await readFile(this.#file, 'latin1').catch(() => undefined);
  }

  /** Undefined: the table does not exist. */
  async #list(): Promise<string | undefined> {
    const argv = [...BY_SYSTEMD, '--', this.#nft, ...LIST];
    const result = await this.#tools.exec.run('/usr/bin/systemd-run', argv, { accept: [0, 1] });
    if (result.exitCode === 1 && !result.stderr.includes(NO_TABLE))
      throw new HostError('Failed', `The firewall cannot be read: ${result.stderr.trim().slice(0, 300)}`);
    const listed = result.exitCode === 0 ? result.stdout : undefined;
    this.#inKernel = uidsWithSmtp(listed ?? '');
    return listed;
  }

  /**
   * Loads the file in a network namespace of its own and lists it there. A list of the server's own table right after
   * its load could already have somebody's change.
   */
  async #listAlone(): Promise<string> {
    const alone = [
      '--property=PrivateNetwork=yes',
      `--property=ExecStartPre=${this.#nft} --file ${this.#file}`,
    ];
    const argv = [...BY_SYSTEMD, ...alone, '--', this.#nft, ...LIST];
    return (await this.#tools.exec.run('/usr/bin/systemd-run', argv)).stdout;
  }
}
