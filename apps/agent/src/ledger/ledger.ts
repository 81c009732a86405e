import { rm } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isReservedUsername } from '@innkeeper/domain';
import type { AccountSpec } from '@innkeeper/protocol';
import { storeDurably, syncFolder } from '../node/durable-files.ts';
import type { AcceptedReport, LedgerEntry } from './ledger-entry.ts';
import type { LedgerSeal } from './ledger-seal.ts';
import { COMPLETE_MARK, type LoadedEntries, loadEntries, type QuarantinedFile } from './load-entries.ts';

/**
 * The desired state of every account of this node. It is on disk before the node is touched.
 *
 * A spec names its creation. A spec of another creation, or with the uid or user of another account, is refused as
 * foreign. Reason: after an older database was restored, a removal meant for a new account must not remove the existing
 * account with the same id, uid and name. Entries of agents that did not know creations have none; the account's next
 * spec sets the creation.
 *
 * The ledger only moves forward. It refuses an older generation, and the same generation with other content. It accepts
 * the same spec again (idempotent). An account keeps its uid and its Linux user for life, and no two accounts share
 * either, whatever the control plane sends. An entry leaves the ledger only when the control plane has accepted the
 * report that nothing of the account is left. Until then, a restart repeats the teardown (which finds nothing to do)
 * and the report.
 */
export class Ledger {
  readonly quarantined: readonly QuarantinedFile[];
  #incomplete: boolean;
  readonly #folder: string;
  readonly #seal: LedgerSeal;
  readonly #entries: Map<number, LedgerEntry>;
  /**
   * Owners of uids and Linux users. Claimed before the entry is written, so that two new accounts cannot race for one.
   */
  readonly #owners = new Map<string, number>();
  /** The last write of each account: one file never has two concurrent writes. */
  readonly #writes = new Map<number, Promise<unknown>>();

  private constructor(folder: string, seal: LedgerSeal, { entries, quarantined, complete }: LoadedEntries) {
    this.#folder = folder;
    this.#seal = seal;
    this.#entries = new Map(entries.map((entry) => [entry.spec.account_id, entry]));
    this.quarantined = quarantined;
    // Entries without a creation get theirs from the first session.
    this.#incomplete = !complete || entries.some(({ spec }) => spec.creation_id === '');
    for (const spec of this.specs()) this.#claim(spec);
  }

  /** Loads a ledger from its folder, and creates the folder if it is missing. */
  static async open(folder: string, seal: LedgerSeal): Promise<Ledger> {
    const loaded = await loadEntries(folder, seal);
    const ledger = new Ledger(folder, seal, loaded);
    for (const accountId of loaded.unsealed) await ledger.#store(ledger.#entries.get(accountId)!);
    return ledger;
  }

  /**
   * Returns whether accounts may be missing here that the control plane assumes to be known: in a new ledger, and after
   * a file was quarantined. The agent reports it, and the control plane sends everything again.
   */
  get incomplete(): boolean {
    return this.#incomplete;
  }

  /** The control plane has received the report and will send every missing account. */
  async markComplete(): Promise<void> {
    if (!this.#incomplete) return;
    await storeDurably(path.join(this.#folder, COMPLETE_MARK), '');
    this.#incomplete = false;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(accountId: number): LedgerEntry | undefined {
    return this.#entries.get(accountId);
  }

  findByUid(uid: number): LedgerEntry | undefined {
    const accountId = this.#owners.get(`uid ${uid}`);
    return accountId === undefined ? undefined : this.#entries.get(accountId);
  }

  findByUser(name: string): LedgerEntry | undefined {
    const accountId = this.#owners.get(`user ${name}`);
    return accountId === undefined ? undefined : this.#entries.get(accountId);
  }

  specs(): AccountSpec[] {
    return [...this.#entries.values()].map((entry) => entry.spec);
  }

  /**
   * Stores a spec, unless the rules refuse it. Resolves when the spec is durable on disk. Rejects when it cannot be
   * stored.
   */
  accept(received: AccountSpec): Promise<Acceptance> {
    return this.#serially(received.account_id, async () => {
      const known = this.#entries.get(received.account_id);
      const spec = inCanonicalOrder(withCreation(received, known?.spec));
      if (known !== undefined && isDeepStrictEqual(known.spec, spec)) return { kind: 'known' };
      if (
        known?.spec.creation_id === '' &&
        isDeepStrictEqual({ ...known.spec, creation_id: spec.creation_id }, spec)
      ) {
        await this.#store({ ...known, spec });
        return { kind: 'known' };
      }
      const foreign = this.#foreignTo(spec, known?.spec);
      if (foreign !== undefined) return { kind: 'refused', reason: foreign, isForeign: true };
      const objection = objectionTo(spec, known?.spec);
      if (objection !== undefined) return { kind: 'refused', reason: objection, isForeign: false };
      this.#claim(spec);
      try {
        await this.#store({ version: 1, spec, accepted_report: known?.accepted_report ?? null });
      } catch (error) {
        if (known === undefined) this.#release(spec);
        throw error;
      }
      return { kind: 'stored' };
    });
  }

  /** Stores the newest accepted report, so that the agent does not send it again after a restart. */
  recordAcceptedReport(accountId: number, report: AcceptedReport): Promise<void> {
    return this.#serially(accountId, async () => {
      const known = this.#entries.get(accountId);
      if (known === undefined || isDeepStrictEqual(known.accepted_report, report)) return;
      await this.#store({ ...known, accepted_report: report });
    });
  }

  /**
   * Removes the entry of an account that is gone, if `generation` is still the newest and its desired state is absent.
   */
  forget(accountId: number, generation: number): Promise<boolean> {
    return this.#serially(accountId, async () => {
      const spec = this.#entries.get(accountId)?.spec;
      if (spec?.desired_state !== 'absent' || spec.generation !== generation) return false;
      await rm(this.#fileOf(accountId), { force: true });
      await syncFolder(this.#folder);
      this.#entries.delete(accountId);
      this.#release(spec);
      return true;
    });
  }

  /** Returns the reason why a spec belongs to another creation than the node's account. Undefined if it does not. */
  #foreignTo(spec: AccountSpec, known: AccountSpec | undefined): string | undefined {
    if (known !== undefined) {
      if (known.creation_id !== '' && spec.creation_id !== known.creation_id)
        return `creation_id: this node has an account ${spec.account_id} of another creation; it and its files are left alone.`;
      if (spec.uid !== known.uid) return `uid: an account keeps its uid (${known.uid}) for life.`;
      if (spec.linux_user !== known.linux_user)
        return 'linux_user: an account keeps its Linux user for life.';
      return undefined;
    }
    const uidOwner = this.#owners.get(`uid ${spec.uid}`);
    if (uidOwner !== undefined) return `uid: ${spec.uid} belongs to account ${uidOwner}.`;
    const userOwner = this.#owners.get(`user ${spec.linux_user}`);
    if (userOwner !== undefined) return `linux_user: the name belongs to account ${userOwner}.`;
    return undefined;
  }

  #claim(spec: AccountSpec): void {
    this.#owners.set(`uid ${spec.uid}`, spec.account_id);
    this.#owners.set(`user ${spec.linux_user}`, spec.account_id);
  }

  #release(spec: AccountSpec): void {
    this.#owners.delete(`uid ${spec.uid}`);
    this.#owners.delete(`user ${spec.linux_user}`);
  }

  async #store(entry: LedgerEntry): Promise<void> {
    const stored = { ...entry, ...this.#seal.seal(entry.spec) };
    await storeDurably(this.#fileOf(entry.spec.account_id), `${JSON.stringify(stored, null, 2)}\n`);
    this.#entries.set(entry.spec.account_id, entry);
  }

  #fileOf(accountId: number): string {
    return path.join(this.#folder, `${accountId}.json`);
  }

  #serially<T>(accountId: number, write: () => Promise<T>): Promise<T> {
    const before = this.#writes.get(accountId) ?? Promise.resolve();
    const result = before.then(write, write);
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.#writes.set(accountId, settled);
    void settled.then(() => {
      if (this.#writes.get(accountId) === settled) this.#writes.delete(accountId);
    });
    return result;
  }
}

/** The result of receiving a spec. `reason` names the field and the rule. */
export type Acceptance =
  | { kind: 'stored' }
  | { kind: 'known' }
  | {
      kind: 'refused';
      reason: string;
      /** The id, the uid or the user belongs to another creation: this node has nothing of the spec's creation. */
      isForeign: boolean;
    };

function objectionTo(spec: AccountSpec, known: AccountSpec | undefined): string | undefined {
  if (known === undefined)
    return isReservedUsername(spec.linux_user) && spec.desired_state !== 'absent'
      ? `linux_user: ${spec.linux_user} is reserved for the system and its packages.`
      : undefined;
  if (spec.generation < known.generation)
    return `generation: ${spec.generation} is older than ${known.generation}, which this node already has.`;
  if (spec.generation === known.generation)
    return `generation: ${spec.generation} was received before with other content; a change needs a new generation.`;
  return undefined;
}

/**
 * A control plane of an earlier release sends no creation: the known creation stays. A removal is the exception: it
 * must name the creation that it removes.
 */
function withCreation(spec: AccountSpec, known: AccountSpec | undefined): AccountSpec {
  if (spec.creation_id !== '' || spec.desired_state === 'absent' || known === undefined) return spec;
  return { ...spec, creation_id: known.creation_id };
}

/** The order of domains has no meaning, so it must not make two specs differ. */
function inCanonicalOrder(spec: AccountSpec): AccountSpec {
  return { ...spec, domains: spec.domains.toSorted((a, b) => a.domain_id - b.domain_id) };
}
