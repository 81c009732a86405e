import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { replaceFile } from '../config-file.ts';
import type { Exec } from '../exec.ts';
import { HostError } from '../host-error.ts';
import { FIREWALL_TABLE } from './firewall-table.ts';

const FILE = '/etc/innkeeper/firewall.nft';
const UNIT = 'innkeeper-firewall.service';
const NFT = '/usr/sbin/nft';
/** nftables are for CAP_NET_ADMIN alone, which the agent does not have: systemd starts the program with that. */
const BY_SYSTEMD = [
  ...['--quiet', '--collect', '--wait', '--pipe', '--no-ask-password', '--description=Look at the firewall'],
  ...['--property=CapabilityBoundingSet=CAP_NET_ADMIN', '--property=NoNewPrivileges=yes', '--'],
];

/**
 * The agent's table of nftables. Its unit loads the file, at boot before the network is there, and when the agent has
 * written another one. What is changed by hand is seen by the next `ensure`, and put back. This is of the server and not
 * of an account, so it does not count among the changes of accounts.
 */
export class Firewall {
  readonly #exec: Exec;
  /** What the kernel listed right after the file was loaded. */
  #loaded: string | undefined;

  constructor(exec: Exec) {
    this.#exec = exec;
  }

  /**
   * Has the kernel hold this table. Gives whether it had to be loaded. Throws HostError where the kernel has no nftables,
   * or refuses it.
   */
  async ensure(table: string): Promise<boolean> {
    if (!existsSync(NFT))
      throw new HostError('Failed', `${NFT} is missing: run the installer again.`, { retryable: false });
    const written = await readFile(FILE, 'latin1').catch(() => undefined);
    if (written !== table) {
      await replaceFile(FILE, table, { mode: 0o600, gid: 0 });
      this.#loaded = undefined;
    }
    if (this.#loaded !== undefined && (await this.#list()) === this.#loaded) return false;
    await this.#exec.run('/usr/bin/systemctl', ['reload-or-restart', '--', UNIT], { timeoutMs: 30_000 });
    this.#loaded = await this.#list();
    if (this.#loaded === undefined)
      throw new HostError('Failed', `The kernel does not hold the table ${FIREWALL_TABLE}.`);
    return true;
  }

  /** Undefined: there is no such table. */
  async #list(): Promise<string | undefined> {
    const argv = [...BY_SYSTEMD, NFT, '--stateless', 'list', 'table', 'inet', FIREWALL_TABLE];
    const { exitCode, stdout } = await this.#exec.run('/usr/bin/systemd-run', argv, { accept: [0, 1] });
    return exitCode === 0 ? stdout : undefined;
  }
}
