import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { canonicalAddress } from '@innkeeper/domain';
import type { ChallengeFiles } from './challenge-files.ts';

/** Why an authority would not reach this server under a name; a sentence for the domain's owner. */
export class NameNotHere extends Error {
  override name = 'NameNotHere';
}

export interface NameCheck {
  /** Throws NameNotHere unless the name resolves to this server and the server answers an authority's request. */
  check(name: string): Promise<void>;
}

/** Returns the addresses of a name. Throws NameNotHere when no name server answers. */
export type LookUp = (name: string) => Promise<string[]>;

const CHALLENGE_PATH = '/.well-known/acme-challenge';
const PROBE_TIMEOUT_MS = 5_000;
const PROBES = 3;
const PROBE_PAUSE_MS = 200;
const LOOK_UP = { timeout: 3_000, tries: 2 };
const MOST_SHOWN = 6;

/**
 * Checks a name as an authority would, before the authority is asked, because authorities limit failures. The name must
 * resolve to an address of this server, and this server must answer for it. The request for that does not leave the
 * machine: behind a router without NAT loopback, the server connects to its own loopback address.
 */
export class NameLeadsHere implements NameCheck {
  readonly #publicAddresses: readonly string[];
  readonly #challenges: ChallengeFiles;
  readonly #lookUp: LookUp;

  /** `publicAddresses`: addresses that a router translates to this server's own; canonical. */
  constructor(publicAddresses: readonly string[], challenges: ChallengeFiles, lookUp: LookUp = lookUpName) {
    this.#publicAddresses = publicAddresses;
    this.#challenges = challenges;
    this.#lookUp = lookUp;
  }

  async check(name: string): Promise<void> {
    const found = await this.#lookUp(name);
    const own = ownAddresses();
    const here = found.find((address) => own.includes(address));
    if (here === undefined && !found.some((address) => this.#publicAddresses.includes(address)))
      throw new NameNotHere(this.#notHere(name, found, own));
    await this.#probe(name, here ?? '127.0.0.1');
  }

  #notHere(name: string, found: readonly string[], own: readonly string[]): string {
    const has =
      found.length === 0
        ? 'no address'
        : `the address${found.length > 1 ? 'es' : ''} ${listed(found, 'and')}`;
    const wanted = this.#publicAddresses.length > 0 ? this.#publicAddresses : own;
    return `${name} has ${has}; it should have ${listed(wanted, 'or')}.`;
  }

  async #probe(name: string, address: string): Promise<void> {
    const token = `innkeeper-${randomBytes(12).toString('hex')}`;
    await this.#challenges.write(token, token);
    try {
      let answer = '';
      // A connection may reach an nginx worker that is shutting down.
      for (let attempt = 1; attempt <= PROBES && answer !== token; attempt += 1) {
        if (attempt > 1) await delay(PROBE_PAUSE_MS);
        answer = await ask(address, name, `${CHALLENGE_PATH}/${token}`);
      }
      if (answer !== token)
        throw new NameNotHere(
          `This server does not answer http://${name}${CHALLENGE_PATH}/ correctly (${answer.slice(0, 40)}).`,
        );
    } finally {
      await this.#challenges.remove(token);
    }
  }
}

/** Addresses of this machine's interfaces that other hosts may reach. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^fe[89ab]/i.test(address))
    .flatMap(({ address }) => canonicalAddress(address) ?? []);
}

async function lookUpName(name: string): Promise<string[]> {
  // A new resolver for each look-up, so that a changed resolv.conf takes effect.
  const resolver = new Resolver(LOOK_UP);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found.flatMap((address) => canonicalAddress(address) ?? []);
  const codes = answers.flatMap((answer) =>
    answer.status === 'rejected' ? ((answer.reason as NodeJS.ErrnoException).code ?? []) : [],
  );
  const unknown = codes.find((code) => code !== 'ENOTFOUND' && code !== 'ENODATA');
  if (unknown !== undefined) throw new NameNotHere(`The DNS lookup of ${name} failed: ${unknown}.`);
  return [];
}

/** Returns the body of a 200, or a description of the other response. */
function ask(address: string, host: string, path: string): Promise<string> {
  return new Promise((resolve) => {
    const call = request(
      {
        host: address,
        port: 80,
        path,
        headers: { host },
        agent: false,
        signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (Buffer.concat(chunks).length > 1_024) call.destroy(new Error('a long answer'));
        });
        answer.on('error', ({ message }) => resolve(message));
        answer.on('end', () =>
          resolve(
            answer.statusCode === 200
              ? Buffer.concat(chunks).toString('latin1')
              : `it says ${answer.statusCode}`,
          ),
        );
      },
    );
    call.on('error', ({ message }) => resolve(message));
    call.end();
  });
}

function listed(addresses: readonly string[], word: 'and' | 'or'): string {
  const shown = addresses.slice(0, MOST_SHOWN);
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} ${word} ${shown.at(-1)}`;
}
