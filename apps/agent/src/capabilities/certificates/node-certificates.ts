import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../node/host-error.ts';
import type { Owner } from '../../node/owner.ts';
import { left, removable, type Trace, type Traced } from '../../node/trace.ts';
import { type Authority, AuthorityError } from './authority.ts';
import type { CertificateFiles } from './certificate-files.ts';
import { type CertificateRecord, type Held, recordName, renewalTime } from './certificate-record.ts';
import type { CertificateStore } from './certificate-store.ts';
import type { ChallengeFiles } from './challenge-files.ts';
import {
  CERTIFICATE_FILE,
  type Certificates,
  type DomainCertificates,
  type HeldCertificate,
  type SiteCertificates,
  type WantedCertificate,
} from './host.ts';
import type { NameCheck } from './name-check.ts';
import { failureAfter, isForeseen, nextAttemptAt } from './next-attempt.ts';
import { type Obtained, obtainCertificate } from './obtain-certificate.ts';
import type { OrderBudget } from './order-budget.ts';
import { OrderQueue } from './order-queue.ts';
import { servedFingerprint } from './served-certificate.ts';

export interface NodeCertificatesDeps {
  readonly store: CertificateStore;
  readonly files: Pick<CertificateFiles, 'areRight' | 'place' | 'remove' | 'of'>;
  readonly challenges: Pick<ChallengeFiles, 'write' | 'remove'>;
  readonly authority: Authority;
  readonly names: NameCheck;
  readonly budget: Pick<OrderBudget, 'take'>;
  /** Whether a name is a site of its own on this node, and not only `www.` before one. */
  readonly isSite: (name: string) => boolean;
  /** Called when the web driver's view is outdated: an order has ended, or a certificate is lost. */
  readonly onEnded: (uid: number) => void;
  /** Called when an attempt failed with an unexpected error. */
  readonly onDefect: (error: unknown) => void;
  readonly now?: () => number;
  readonly random?: () => number;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly served?: (name: string) => Promise<string | undefined>;
}

const ORDERS_AT_A_TIME = 3;
const none: SiteCertificates = { certificate: null, aliasCertificate: null };

/**
 * A certificate goes through three stages: `issued` (the agent has it), `placed` (nginx can read it, and the next
 * publication uses it) and `served` (it was seen over TLS). The previous certificate is removed only after `served`.
 * Each step is recorded before the next one starts, so a restarted agent continues from there.
 */
export class NodeCertificates implements Certificates, Traced {
  readonly #deps: NodeCertificatesDeps;
  readonly #queue = new OrderQueue(ORDERS_AT_A_TIME);
  readonly #now: () => number;

  constructor(deps: NodeCertificatesDeps) {
    this.#deps = deps;
    this.#now = deps.now ?? Date.now;
  }

  current({ uid }: Owner, domainName: string): SiteCertificates {
    const record = this.#deps.store.of(uid).find(({ name }) => name === domainName);
    const held = record?.held.findLast(({ stage }) => stage !== 'issued');
    if (held === undefined) return none;
    const hasAlias = held.names.includes(`www.${domainName}`);
    return { certificate: held.key, aliasCertificate: hasAlias ? held.key : null };
  }

  async observe(owner: Owner): Promise<DomainCertificates[]> {
    return await Promise.all(
      this.#deps.store.of(owner.uid).map(async (record) => ({
        domainId: record.domain_id,
        name: record.name,
        held: await Promise.all(record.held.map((held) => this.#observeHeld(held))),
        ordering: this.#queue.has(recordName(record)),
        failure:
          record.failure === null
            ? undefined
            : {
                revision: record.failure.revision,
                error: record.failure.error,
                mustWait: record.failure.must_wait && record.failure.retry_at > this.#now(),
              },
        orderableAt: (revision: number) => nextAttemptAt(record, revision),
      })),
    );
  }

  async order(owner: Owner, wanted: WantedCertificate): Promise<void> {
    const { store } = this.#deps;
    const record = store.ensure(owner.uid, wanted.domainId, wanted.name);
    if (this.#queue.has(recordName(record))) return;
    const now = this.#now();
    record.begun += 1;
    record.begun_at = now;
    if (record.failure?.refused === true && record.failure.retry_at > now) record.skipped_at = now;
    await store.save(record);
    this.#queue.start(recordName(record), (signal) => this.#obtain(record, wanted, signal), {
      isFirst: isRenewal(record, wanted.revision),
    });
  }

  async stopOrder(owner: Owner, domainId: number): Promise<void> {
    const record = this.#find(owner, domainId);
    if (record === undefined) return;
    await this.#queue.stop(recordName(record));
    record.begun = 0;
    await this.#deps.store.save(record);
  }

  async place(owner: Owner, domainId: number, key: string): Promise<void> {
    const { store, files } = this.#deps;
    const { record, held } = this.#held(owner, domainId, key);
    const material = await store.material(held);
    if (material === undefined)
      throw new HostError('Failed', `The key of the certificate of ${record.name} is lost.`);
    await files.place(key, material, held.stage === 'issued');
    if (held.stage !== 'issued') return;
    held.stage = 'placed';
    await store.save(record);
  }

  async retirePrevious(owner: Owner, domainId: number): Promise<void> {
    const { store, files, served = servedFingerprint } = this.#deps;
    const record = this.#find(owner, domainId);
    const newest = record?.held.at(-1);
    if (record === undefined || newest === undefined) return;
    if ((await served(record.name)) !== newest.fingerprint)
      throw new HostError('Failed', `nginx does not show the new certificate of ${record.name} yet.`);
    const previous = record.held.slice(0, -1);
    newest.stage = 'served';
    for (const { key } of previous) await files.remove(key);
    record.held = record.held.filter(({ key }) => !previous.some((old) => old.key === key));
    await store.save(record);
    for (const { key } of previous) await store.removeMaterial(key);
  }

  async discard(owner: Owner, domainId: number, key: string): Promise<void> {
    const { store, files, onEnded } = this.#deps;
    const { record } = this.#held(owner, domainId, key);
    record.held = record.held.filter((held) => held.key !== key);
    await store.save(record);
    await files.remove(key);
    await store.removeMaterial(key);
    onEnded(owner.uid);
  }

  async forget(owner: Owner, domainId: number): Promise<void> {
    const { store, files } = this.#deps;
    const record = this.#find(owner, domainId);
    if (record === undefined) return;
    await this.#queue.stop(recordName(record));
    for (const { key } of record.held) await files.remove(key);
    await store.remove(record);
  }

  async #leftovers(owner: Owner): Promise<string[]> {
    return await this.#deps.files.of(owner.uid);
  }

  async stop(): Promise<void> {
    await this.#queue.stopAll();
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  async #observeHeld(held: Held): Promise<HeldCertificate> {
    const { store, files } = this.#deps;
    const filesRight =
      held.stage === 'issued' || (await files.areRight(held.key, () => store.material(held)));
    const isNeeded = held.stage === 'issued' || !filesRight;
    return {
      key: held.key,
      revision: held.revision,
      issuer: held.issuer,
      expiresAt: held.not_after,
      renewAt: renewalTime(held),
      stage: held.stage,
      filesRight,
      lost: isNeeded && (await store.material(held)) === undefined,
    };
  }

  /** Runs one attempt. Never rejects. When it is aborted, everything stays as last stored. */
  async #obtain(record: CertificateRecord, wanted: WantedCertificate, signal: AbortSignal): Promise<void> {
    const { store, onEnded, onDefect, random = Math.random } = this.#deps;
    const { name, revision } = wanted;
    try {
      const obtained = await obtainCertificate(
        { name, alias: this.#aliasOf(wanted), revision },
        record.order,
        {
          ...this.#deps,
          keep: async (order) => {
            record.order = order;
            await store.save(record);
          },
          spend: () =>
            this.#deps.budget.take({ uid: record.uid, name, isRenewal: isRenewal(record, revision) }),
          pause: this.#deps.pause ?? ((ms, ended) => delay(ms, undefined, { signal: ended })),
          signal,
        },
      );
      await this.#keep(record, obtained, revision);
    } catch (error) {
      if (signal.aborted) return;
      record.failure = failureAfter(record.failure, { error, revision, now: this.#now(), random: random() });
      if (error instanceof AuthorityError && error.refused) record.order = null;
      record.begun = 0;
      if (!isForeseen(error)) onDefect(error);
      await store.save(record).catch(onDefect);
    }
    onEnded(record.uid);
  }

  async #keep(record: CertificateRecord, obtained: Obtained, revision: number): Promise<void> {
    const { store } = this.#deps;
    const { certificate, names } = obtained;
    const key = `${recordName(record)}-${this.#now().toString(36)}${randomBytes(4).toString('hex')}`;
    await store.storeMaterial(key, obtained);
    record.held.push({
      key,
      revision,
      names: [...names],
      issuer: issuerOf(certificate.issuer),
      fingerprint: certificate.fingerprint256,
      not_before: Math.max(0, certificate.validFromDate.getTime()),
      not_after: Math.max(0, certificate.validToDate.getTime()),
      stage: 'issued',
    });
    record.order = null;
    record.failure = null;
    record.begun = 0;
    await store.save(record);
  }

  #aliasOf({ name, withAlias }: WantedCertificate): string | undefined {
    const alias = `www.${name}`;
    return withAlias && !this.#deps.isSite(alias) ? alias : undefined;
  }

  #find(owner: Owner, domainId: number): CertificateRecord | undefined {
    return this.#deps.store.find(owner.uid, domainId);
  }

  #held(owner: Owner, domainId: number, key: string): { record: CertificateRecord; held: Held } {
    const record = this.#find(owner, domainId);
    const held = record?.held.find((candidate) => candidate.key === key);
    if (record === undefined || held === undefined)
      throw new HostError('Failed', 'The certificate was removed in the meantime.');
    return { record, held };
  }

  /** The domains in the records, and files that are in no record. */
  async traces(owner: Owner): Promise<Trace[]> {
    const [known, files] = await Promise.all([this.observe(owner), this.#leftovers(owner)]);
    if (known.length > 0) return known.map(({ name }) => left('certificate', name));
    return files.map((path) => removable(CERTIFICATE_FILE, path));
  }
}

/** Whether a certificate of this revision already exists: then nobody requested a new one. */
function isRenewal({ held }: CertificateRecord, revision: number): boolean {
  return held.some((certificate) => certificate.revision >= revision);
}

/** The issuer in one line: the common name, or else the organization. */
function issuerOf(issuer: string): string {
  const parts = new Map(
    issuer.split('\n').map((line) => {
      const [name = '', value = ''] = line.split(/=(.*)/s);
      return [name, value] as const;
    }),
  );
  const said = [parts.get('O'), parts.get('CN')].filter((part) => part !== undefined && part !== '');
  return [...new Set(said)]
    .join(' ')
    .replaceAll(/[\p{Cc}]+/gu, ' ')
    .slice(0, 255);
}
