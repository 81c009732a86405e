import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { addressBytes } from '@innkeeper/domain';

/**
 * proc(5): /proc/net/tcp writes numbers in the byte order of the processor, little-endian on every supported machine.
 */
const ESTABLISHED = '01';
/** Connections within this time share one read of the tables, which are long on a busy server. */
const SHARED_MS = 20;

/** The prefix of an IPv4-mapped IPv6 address. */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** Both ends of a connection. */
export interface Ends {
  readonly address: string;
  readonly port: number;
  readonly peerAddress: string;
  readonly peerPort: number;
}

/**
 * Finds the uid of the process at the other end of a local connection: the uid that created that socket. Undefined when
 * no process of this server has such a socket open, or has closed it again, so nobody could read an answer.
 */
export class PeerUids {
  readonly #folder: string;
  #tables: Promise<ReadonlyMap<string, number>> | undefined;

  constructor(folder = '/proc/net') {
    this.#folder = folder;
  }

  async of({ remoteAddress, remotePort, localAddress, localPort }: Socket): Promise<number | undefined> {
    if (remoteAddress === undefined || localAddress === undefined) return undefined;
    return await this.find({
      address: localAddress,
      port: localPort ?? 0,
      peerAddress: remoteAddress,
      peerPort: remotePort ?? 0,
    });
  }

  async find({ address, port, peerAddress, peerPort }: Ends): Promise<number | undefined> {
    this.#tables ??= new Promise((resolve, reject) => {
      setTimeout(() => {
        this.#tables = undefined;
        this.#readTables().then(resolve, reject);
      }, SHARED_MS);
    });
    const uids = await this.#tables;
    // The peer's socket may be IPv6 although the connection is IPv4.
    for (const inIpv6 of [false, true]) {
      const uid = uids.get(`${spell(peerAddress, peerPort, inIpv6)} ${spell(address, port, inIpv6)}`);
      if (uid !== undefined) return uid;
    }
    return undefined;
  }

  async #readTables(): Promise<ReadonlyMap<string, number>> {
    const tables = await Promise.all(
      ['tcp', 'tcp6'].map((name) => readFile(`${this.#folder}/${name}`, 'latin1').catch(() => '')),
    );
    const uids = new Map<string, number>();
    for (const line of tables.join('\n').split('\n')) {
      const [, local, remote, state, , , , uid, , inode] = line.trim().split(/\s+/);
      // A socket without an owner has inode 0 and is listed with root's uid.
      if (state === ESTABLISHED && inode !== '0') uids.set(`${local} ${remote}`, Number(uid));
    }
    return uids;
  }
}

/** Formats an address as /proc/net/tcp or, for IPv6, /proc/net/tcp6 does. */
function spell(address: string, port: number, inIpv6: boolean): string {
  const own = addressBytes(address.replace(/%.*$/, '')) ?? [];
  const bytes = inIpv6 && own.length === 4 ? [...MAPPED, ...own] : own;
  const words = Array.from({ length: bytes.length / 4 }, (_, at) =>
    bytes.slice(at * 4, at * 4 + 4).reverse(),
  );
  const hex = (number: number, digits: number) => number.toString(16).toUpperCase().padStart(digits, '0');
  return `${words
    .flat()
    .map((byte) => hex(byte, 2))
    .join('')}:${hex(port, 4)}`;
}
