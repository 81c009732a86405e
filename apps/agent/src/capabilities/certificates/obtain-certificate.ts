import { createPrivateKey, X509Certificate } from 'node:crypto';
import { generatePrivateKeyPem } from '@innkeeper/protocol/identity';
import { type Authority, AuthorityError, type AuthorityOrder, type Challenge } from './authority.ts';
import type { OrderRecord } from './certificate-record.ts';
import type { Material } from './certificate-store.ts';
import type { ChallengeFiles } from './challenge-files.ts';
import { type NameCheck, NameNotHere } from './name-check.ts';

export interface ObtainDeps {
  readonly authority: Authority;
  readonly names: NameCheck;
  readonly challenges: Pick<ChallengeFiles, 'write' | 'remove'>;
  /** Stores the order before the next step; null: there is no order. */
  readonly keep: (order: OrderRecord | null) => Promise<void>;
  /** Counts a new order before it is made. Throws AuthorityError when the limit is reached. */
  readonly spend: () => Promise<void>;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

export interface Wish {
  readonly name: string;
  /** `www.` before the name; undefined where that name belongs to somebody else. */
  readonly alias: string | undefined;
  readonly revision: number;
}

export interface Obtained extends Material {
  readonly names: readonly string[];
  readonly certificate: X509Certificate;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const PATIENCE_MS = 10 * 60_000;

/**
 * Obtains a certificate, from the check of the names to the chain. The names are checked first, because an authority
 * should not get an order that it would refuse. The order and its key are stored before the next step. After a crash,
 * the next attempt gets them as `before`, continues the authority's order, and loses no certificate that the authority
 * issued.
 */
export async function obtainCertificate(
  wish: Wish,
  before: OrderRecord | null,
  deps: ObtainDeps,
): Promise<Obtained> {
  const names = await namesThatLeadHere(wish, deps);
  const { kept, order: begun } = await begin(wish, names, before, deps);
  const challenges: Challenge[] = [];
  try {
    let order = begun;
    let waitedMs = 0;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      if (order.status === 'valid') return await fetched(order, kept, deps);
      if (order.status === 'ready') {
        order = await unlessEnded(deps.signal, deps.authority.finalize(order, names, kept.private_key));
        if (order.status === 'valid') continue;
      } else if (order.status === 'pending' && challenges.length === 0) {
        challenges.push(...(await unlessEnded(deps.signal, deps.authority.challenges(order))));
        await prove(challenges, deps);
      }
      if (waitedMs >= PATIENCE_MS)
        throw new AuthorityError('The certificate authority did not finish the order within 10 minutes.', {
          refused: false,
        });
      await deps.pause(pauseMs, deps.signal);
      waitedMs += pauseMs;
      const found = await unlessEnded(deps.signal, deps.authority.findOrder(order.url));
      if (found === undefined)
        throw new AuthorityError('The certificate authority no longer knows the order.', { refused: true });
      order = found;
    }
  } finally {
    for (const { token } of challenges) await deps.challenges.remove(token);
  }
}

async function namesThatLeadHere({ name, alias }: Wish, deps: ObtainDeps): Promise<string[]> {
  await unlessEnded(deps.signal, deps.names.check(name));
  if (alias === undefined) return [name];
  try {
    await unlessEnded(deps.signal, deps.names.check(alias));
    return [name, alias];
  } catch (error) {
    if (error instanceof NameNotHere) return [name];
    throw error;
  }
}

async function begin(
  { revision }: Wish,
  names: string[],
  before: OrderRecord | null,
  { authority, keep, spend, signal }: ObtainDeps,
): Promise<{ kept: OrderRecord; order: AuthorityOrder }> {
  const found =
    before !== null && before.names.join() === names.join()
      ? await takenUp(before, authority, signal)
      : undefined;
  if (before !== null && found !== undefined) {
    const kept = { ...before, revision };
    if (before.revision !== revision) await keep(kept);
    return { kept, order: found };
  }
  await unlessEnded(signal, spend());
  const order = await unlessEnded(signal, authority.createOrder(names));
  const kept = { revision, names, url: order.url, private_key: generatePrivateKeyPem() };
  await keep(kept);
  return { kept, order };
}

/**
 * Continues an order. If it was refused in the meantime, perhaps because the agent did not answer, a new one starts.
 */
async function takenUp(
  { url }: OrderRecord,
  authority: Authority,
  signal: AbortSignal,
): Promise<AuthorityOrder | undefined> {
  try {
    return await unlessEnded(signal, authority.findOrder(url));
  } catch (error) {
    if (error instanceof AuthorityError && error.refused && error.waitMs === undefined) return undefined;
    throw error;
  }
}

async function prove(challenges: readonly Challenge[], deps: ObtainDeps): Promise<void> {
  for (const { token, answer } of challenges) await deps.challenges.write(token, answer);
  for (const challenge of challenges) await unlessEnded(deps.signal, deps.authority.ready(challenge));
}

/** Accepts the authority's certificate only if it matches the request. */
async function fetched(
  order: AuthorityOrder,
  { names, private_key: privateKey }: OrderRecord,
  { authority, signal }: ObtainDeps,
): Promise<Obtained> {
  const chain = await unlessEnded(signal, authority.chain(order));
  const refuse = (what: string) =>
    new AuthorityError(`The certificate authority sent a certificate that ${what}.`, { refused: true });
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(chain);
  } catch {
    throw refuse('cannot be read');
  }
  if (!isOfKey(certificate, privateKey)) throw refuse('belongs to another key');
  const missing = names.find((name) => certificate.checkHost(name) === undefined);
  if (missing !== undefined) throw refuse(`does not hold for ${missing}`);
  return { names, privateKey, chain: asPem(chain), certificate };
}

function isOfKey(certificate: X509Certificate, privateKey: string): boolean {
  return certificate.checkPrivateKey(createPrivateKey(privateKey));
}

/** Only certificates, with nothing between them: nginx reads this file. */
function asPem(chain: string): string {
  const blocks =
    chain.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\r\n]+-----END CERTIFICATE-----/g) ?? [];
  return `${blocks.map((block) => block.replaceAll('\r', '')).join('\n')}\n`;
}

/** Rejects as soon as the work is aborted. A later answer is ignored. */
async function unlessEnded<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, ended.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
