import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  AccountReport,
  AccountSpec,
  CertificateStatus,
  DomainSpec,
  ReleaseSpec,
} from '@innkeeper/protocol';
import type { Behaviour } from './behaviour.ts';

type FetchArchive = (accountId: number, releaseId: number) => Promise<Buffer>;

/** The accounts of a simulated node, in memory. Specs of one account are applied one at a time, in order of arrival. */
export class SimulatedAccounts {
  /** The node's current specs, by account id. */
  readonly held = new Map<number, AccountSpec>();
  readonly #newest = new Map<number, number>();
  readonly #queues = new Map<number, Promise<unknown>>();
  readonly #behaviour: Behaviour;
  readonly #send: (report: AccountReport) => Promise<void>;
  readonly #fetch: FetchArchive;
  readonly #archives = new Map<number, Buffer>();

  /** `behaviour` is read again for each account. If `send` rejects, the next pull retries. */
  constructor(
    behaviour: Behaviour,
    { send, fetch }: { send: (report: AccountReport) => Promise<void>; fetch: FetchArchive },
  ) {
    this.#behaviour = behaviour;
    this.#send = send;
    this.#fetch = fetch;
  }

  /** Receives a spec of a pull. Ignores a spec that is already in progress. */
  receive(spec: AccountSpec): void {
    const { account_id, generation } = spec;
    if ((this.#newest.get(account_id) ?? 0) >= generation) return;
    this.#newest.set(account_id, generation);
    const before = this.#queues.get(account_id) ?? Promise.resolve();
    this.#queues.set(
      account_id,
      before.then(async () => {
        const settled = await this.#apply(spec).catch(() => false);
        if (!settled && this.#newest.get(account_id) === generation) this.#newest.delete(account_id);
      }),
    );
  }

  /** Resolves when every received account has been applied. */
  async idle(): Promise<void> {
    await Promise.all(this.#queues.values());
  }

  /** The deployed archives, by release id. */
  get archives(): ReadonlyMap<number, Buffer> {
    return this.#archives;
  }

  /** Returns the report with the result of fetching the deployed archives. Each archive is fetched once. */
  async #withArchives(spec: AccountSpec, report: AccountReport): Promise<AccountReport> {
    if (spec.desired_state !== 'active') return report;
    const apps = await Promise.all(
      report.apps.map(async (app) => {
        const { release, desired_state } = spec.apps.find(({ app_id }) => app_id === app.app_id) ?? {};
        if (release?.source !== 'zip' || desired_state !== 'running') return app;
        const reason = await this.#take(spec.account_id, release);
        return reason === undefined ? app : { ...app, status: 'failed' as const, reason, release_id: null };
      }),
    );
    return { ...report, apps };
  }

  /** Returns why an archive could not be fetched. Undefined if it is complete. */
  async #take(accountId: number, release: ReleaseSpec): Promise<string | undefined> {
    if (this.#archives.has(release.release_id)) return undefined;
    try {
      const archive = await this.#fetch(accountId, release.release_id);
      const sha256 = createHash('sha256').update(archive).digest('hex');
      if (sha256 !== release.archive_sha256 || archive.length !== release.archive_bytes)
        return 'The archive that came is another one.';
      this.#archives.set(release.release_id, archive);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Returns whether the control plane will not send this generation again. */
  async #apply(spec: AccountSpec): Promise<boolean> {
    const { delayMs, hold, fail, tell } = this.#behaviour;
    await delay(delayMs(spec));
    await hold(spec);
    if (this.#newest.get(spec.account_id) !== spec.generation) return true;
    const failure = fail(spec);
    if (failure === undefined) {
      if (spec.desired_state === 'absent') this.held.delete(spec.account_id);
      else this.held.set(spec.account_id, spec);
    }
    const honest =
      failure === undefined
        ? await this.#withArchives(spec, reportOf(spec, failure))
        : reportOf(spec, failure);
    const report = tell(honest, spec);
    if (report === undefined) return false;
    await this.#send(report);
    return failure !== 'retryably';
  }
}

/** Returns the report of an honest node about a spec that it has applied or failed to apply. */
function reportOf(spec: AccountSpec, failure: 'permanently' | 'retryably' | undefined): AccountReport {
  const base = { account_id: spec.account_id, observed_generation: spec.generation, driver_ms: { web: 1 } };
  if (failure !== undefined) {
    const reason = failure === 'permanently' ? 'Failed' : 'Retrying';
    return {
      ...base,
      outcome: failure === 'permanently' ? 'failed' : 'progressing',
      conditions: [{ type: 'web', reason, message: `The simulated node fails ${failure}.` }],
      domains: [],
      databases: [],
      apps: [],
    };
  }
  const isGone = spec.desired_state === 'absent';
  const isSuspended = spec.desired_state === 'suspended';
  const served = isSuspended ? 'suspended' : 'active';
  const statusOf = (child: { desired_state: string }) =>
    isGone || child.desired_state === 'absent' ? 'absent' : served;
  return {
    ...base,
    outcome: isGone ? 'absent' : 'applied',
    conditions: [{ type: 'web', reason: 'Applied', message: '' }],
    domains: spec.domains.map((domain) => ({
      domain_id: domain.domain_id,
      status: statusOf(domain),
      reason: '',
      certificate: isGone ? null : certificateOf(domain),
    })),
    databases: spec.databases.map((database) => ({
      database_id: database.database_id,
      status: statusOf(database),
      reason: '',
    })),
    apps: spec.apps.map(({ app_id, desired_state, release }) => ({
      app_id,
      status: isGone || desired_state === 'absent' ? 'absent' : isSuspended ? 'stopped' : desired_state,
      reason: '',
      release_id: release?.release_id ?? null,
    })),
  };
}

function certificateOf({ certificate_revision }: DomainSpec): CertificateStatus | null {
  if (certificate_revision === 0) return null;
  return {
    status: 'active',
    revision: certificate_revision,
    issuer: 'Simulated authority',
    expires_at: 4_102_444_800,
    error: '',
  };
}
