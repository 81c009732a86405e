import {
  type AccountRow,
  type Database,
  deleteAccountRows,
  deleteGoneDomains,
  deleteSessionsOfUser,
  findObservedRecords,
  inTransaction,
  lockAccountOfNode,
  type Observation,
  type ObservedRecords,
  storeChanges,
  storeConditions,
  storeObservations,
} from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import {
  type AccountReport,
  FOREIGN_CREATION,
  type ObservedMessage,
  type WakeMessage,
} from '@innkeeper/protocol';
import type { Kysely, Transaction } from 'kysely';
import { CREATE_FAILED } from '../accounts/find-create-failure.ts';
import { audit } from '../audit.ts';
import { endUnmade } from '../desired-state.ts';
import { certificateOutcomes } from './certificate-outcomes.ts';
import { nodeAsActor } from './node-actor.ts';
import { assertNewestSession, type NodeSession } from './node-session.ts';
import { recordOutcomes } from './record-outcomes.ts';
import { storeAppOutcomes } from './store-app-outcomes.ts';
import { storeDatabaseOutcomes } from './store-database-outcomes.ts';

export interface StoreReportInput extends NodeSession {
  report: AccountReport;
  now: Date;
}

export interface StoredReport {
  /** False: the report is older than the stored one and changed nothing. */
  stored: boolean;
  /** Result for requests that wait for this account. Undefined if the outcome is not final. */
  observed?: ObservedMessage;
  /** Wake for the node, if the report led to new desired state. */
  wake?: WakeMessage;
}

/**
 * Stores a node's report about one of its accounts. One transaction for each report:
 *
 * - `progressing` replaces only the conditions, and stores the status of certificates and apps. Certificates have their
 *   own revisions and can take longer than a generation. Builds of apps can take longer too.
 * - `applied` and `failed` finish the reported generation.
 * - `absent` deletes every row of an account that is being terminated, and frees its name.
 *
 * An account that fails before it was ever applied is terminated, so that no partial account stays. It is deleted at
 * once if the node has nothing of it.
 *
 * Throws DomainError `not_found` for an account that is unknown or on another node, `invalid` for an impossible report,
 * and like `requireNewestSession`.
 */
export async function storeReport(db: Kysely<Database>, input: StoreReportInput): Promise<StoredReport> {
  const { report } = input;
  return inTransaction(db, async (trx) => {
    const account = await lockAccountOfNode(trx, report.account_id, input.node_id);
    const records = await findObservedRecords(trx, recordsAskedFor(input.node_id, [report]));
    // The session is read under the lock: a report of a later session waits for this lock and is stored after this one.
    assertNewestSession(input, records.newestSession);
    if (account === undefined)
      throw new DomainError('not_found', `This node has no account ${report.account_id}.`);
    return await storeUnderLock(trx, account, input, records);
  });
}

/** The records that `storeUnderLock` needs for these reports of a node. */
export function recordsAskedFor(node_id: number, reports: readonly AccountReport[]) {
  const release_ids = reports.flatMap(({ apps }) => apps.flatMap(({ release_id }) => release_id ?? []));
  return { node_id, account_ids: reports.map(({ account_id }) => account_id), release_ids };
}

async function storeUnderLock(
  trx: Transaction<Database>,
  account: AccountRow,
  input: StoreReportInput,
  records: ObservedRecords,
): Promise<StoredReport> {
  const { report, now } = input;
  refuseImpossible(account, report);
  if (report.observed_generation < account.observed_generation) return { stored: false };
  if (report.outcome === 'progressing') {
    await storeConditions(trx, account.id, {
      conditions: JSON.stringify(report.conditions),
      observed_at: now,
    });
    await storeCertificatesOf(trx, account, input, records);
    await storeAppOutcomes(trx, account, input, records);
    return { stored: true };
  }
  const observed = observedOf(report);
  if (report.outcome === 'absent') {
    if (report.observed_generation < account.generation) return { stored: false };
    await removeAccount(trx, account, input);
  } else if (isNotMade(account, report)) {
    await noteFailedCreate(trx, account, input);
    await removeAccount(trx, account, input);
    return { stored: true, observed };
  } else {
    await storeObservations(trx, [observationOf(account, report)], now);
    await storeChildOutcomes(trx, account, input, records);
  }
  if (!isFailedCreate(account, report)) return { stored: true, observed };
  return { stored: true, observed, wake: await undoCreate(trx, account, input) };
}

/** Whether a report finishes a generation of the account, and neither removes nor undoes the account. */
export function finishesGeneration(account: AccountRow, report: AccountReport): boolean {
  return (
    (report.outcome === 'applied' || report.outcome === 'failed') &&
    whyImpossible(account, report) === undefined &&
    report.observed_generation >= account.observed_generation &&
    !isNotMade(account, report) &&
    !isFailedCreate(account, report)
  );
}

export function observedOf({ account_id, observed_generation, outcome }: AccountReport): ObservedMessage {
  return { account_id, observed_generation, outcome };
}

export function observationOf(account: AccountRow, report: AccountReport): Observation {
  const { observed_generation, conditions, next_pass_at } = report;
  const outcome = report.outcome === 'applied' ? 'applied' : 'failed';
  return {
    account,
    observed_generation,
    outcome,
    conditions: JSON.stringify(conditions),
    next_pass_at: next_pass_at === undefined ? null : new Date(next_pass_at * 1_000),
  };
}

/** A node with an impossible report is lying or broken. Accepting it would lose an account or leave one behind. */
function refuseImpossible(account: AccountRow, report: AccountReport): void {
  const why = whyImpossible(account, report);
  if (why !== undefined) throw new DomainError('invalid', `Account ${account.id}: ${why}`);
}

function whyImpossible(account: AccountRow, report: AccountReport): string | undefined {
  if (report.observed_generation > account.generation)
    return `generation ${report.observed_generation} is reported, but the newest is ${account.generation}.`;
  if (report.outcome === 'absent' && account.state !== 'terminating')
    return `it is reported absent, but it shall be ${account.state}.`;
  if (
    report.outcome === 'applied' &&
    account.state === 'terminating' &&
    report.observed_generation === account.generation
  )
    return 'its removal is reported as applied; only "absent" says that nothing is left.';
  return undefined;
}

/** Stores what a final report says of the domains, apps and databases of its account. */
export async function storeChildOutcomes(
  trx: Transaction<Database>,
  account: AccountRow,
  input: StoreReportInput,
  records: ObservedRecords,
): Promise<void> {
  const { report, now } = input;
  const reports = new Map(report.domains.map((domain) => [domain.domain_id, domain]));
  const { changed, gone } = recordOutcomes('domain', records.domains, reports);
  await storeChanges(trx, 'domains', account.id, changed, now);
  await storeCertificatesOf(trx, account, input, records);
  const apps = await storeAppOutcomes(trx, account, input, records);
  await storeDatabaseOutcomes(trx, account, input, { ...records, apps });
  // The spec of a newer generation that is not pulled yet must not change, so its tombstones stay.
  if (report.observed_generation < account.generation || gone.length === 0) return;
  await deleteGoneDomains(
    trx,
    account.id,
    gone.map((domain) => domain.id),
    now,
  );
  await audit(trx, nodeAsActor(input.node_id, now), {
    action: 'domain.removed',
    target: `account:${account.id}`,
    account_id: account.id,
    details: { domains: gone.slice(0, 50).map((domain) => domain.domain_name), count: gone.length },
  });
}

async function storeCertificatesOf(
  trx: Transaction<Database>,
  account: AccountRow,
  { report, now }: StoreReportInput,
  { domains }: ObservedRecords,
): Promise<void> {
  const { changed, rescheduled } = certificateOutcomes(domains, report.domains, now);
  await storeChanges(trx, 'domains', account.id, changed, now);
  await storeChanges(trx, 'domains', account.id, rescheduled, null);
}

function isFailedCreate(account: AccountRow, report: AccountReport): boolean {
  return (
    report.outcome === 'failed' &&
    report.observed_generation === account.generation &&
    account.first_applied_at === null &&
    account.state !== 'terminating'
  );
}

/**
 * Whether a node refused the newest generation and has nothing of the account, so nothing has to be undone there.
 * Either the node has another creation of the same id, uid or user, or it refused the very first spec. A termination
 * meant for this account would hit the other one.
 */
function isNotMade(account: AccountRow, report: AccountReport): boolean {
  if (report.outcome !== 'failed' || report.observed_generation !== account.generation) return false;
  const isForeign = report.conditions.some(({ type }) => type === FOREIGN_CREATION);
  if (account.state === 'terminating')
    return isForeign || (account.first_applied_at === null && isStranger(report));
  const isRefused = report.conditions.some(({ type, reason }) => type === 'spec' && reason === 'Refused');
  return account.first_applied_at === null && (isForeign || (isRefused && account.generation === 1));
}

/**
 * Whether the node has a user of this name and uid that was not created for an account. The node did nothing at all.
 */
function isStranger({ conditions }: AccountReport): boolean {
  const [condition] = conditions;
  return conditions.length === 1 && condition?.type === 'user' && condition.reason === 'Conflict';
}

async function noteFailedCreate(
  trx: Transaction<Database>,
  account: AccountRow,
  { node_id, report, now }: StoreReportInput,
): Promise<void> {
  if (account.first_applied_at !== null || account.state === 'terminating') return;
  await audit(trx, nodeAsActor(node_id, now), {
    action: CREATE_FAILED,
    target: `account:${account.id}`,
    account_id: account.id,
    details: { username: account.username, reason: reasonOf(report), field: fieldOf(report) },
  });
}

async function undoCreate(
  trx: Transaction<Database>,
  account: AccountRow,
  input: StoreReportInput,
): Promise<WakeMessage> {
  const wake = await endUnmade(trx, account, input.now);
  await deleteSessionsOfUser(trx, account.user_id);
  await noteFailedCreate(trx, account, input);
  return wake;
}

/** The root causes. Conditions of steps that were skipped because of them are left out. */
function reasonOf({ conditions }: AccountReport): string {
  const failing = conditions.filter(({ reason }) => reason !== 'Applied');
  const causes = failing.filter(({ reason }) => reason === 'Conflict' || reason === 'Refused');
  const said = (causes.length > 0 ? causes : failing).map(({ message }) => message);
  return said.join(' ') || 'The hosting server gave no reason.';
}

/** Drivers whose conflict is about the account's name: its user or home belongs to somebody else. */
const OF_THE_NAME: ReadonlySet<string> = new Set(['user', 'home']);

function fieldOf({ conditions }: AccountReport): 'username' | null {
  const isName = conditions.some(
    ({ type, reason }) => type === FOREIGN_CREATION || (reason === 'Conflict' && OF_THE_NAME.has(type)),
  );
  return isName ? 'username' : null;
}

async function removeAccount(
  trx: Transaction<Database>,
  account: AccountRow,
  input: StoreReportInput,
): Promise<void> {
  await deleteAccountRows(trx, account, input.now);
  await audit(trx, nodeAsActor(input.node_id, input.now), {
    action: 'account.removed',
    target: `account:${account.id}`,
    account_id: account.id,
    details: { before: { username: account.username } },
  });
}
