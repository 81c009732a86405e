import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, unlinkSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Changes } from '../../node/changes.ts';
import { LEFTOVER_SUFFIX, storeDurably, syncFolder } from '../../node/durable-files.ts';
import {
  type CertificateRecord,
  certificateRecordSchema,
  type Held,
  recordName,
} from './certificate-record.ts';

export interface Material {
  readonly privateKey: string;
  /** The certificate comes first. */
  readonly chain: string;
}

const RECORD_NAME = /^(\d+-\d+)\.json$/;
const MATERIAL_NAME = /^(\d+-\d+-[a-z0-9]+)\.pem$/;

/**
 * The agent's source of truth about certificates, in a folder that only root can read: one record for each domain, and
 * the key and chain of every certificate in a file. That file is complete before a record names it. The files that
 * nginx reads are created from it. Records are read once and stay in memory; keys do not.
 */
export class CertificateStore {
  readonly #folder: string;
  readonly #changes: Changes;
  readonly #records = new Map<string, CertificateRecord>();
  readonly #byUid = new Map<number, Set<CertificateRecord>>();
  readonly #writes = new Map<string, Promise<void>>();
  /** Invalid records, under their new file names. */
  readonly quarantined: string[] = [];

  constructor(folder: string, changes: Changes) {
    this.#folder = folder;
    this.#changes = changes;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    this.#load();
  }

  find(uid: number, domainId: number): CertificateRecord | undefined {
    return this.#records.get(recordName({ uid, domain_id: domainId }));
  }

  of(uid: number): readonly CertificateRecord[] {
    return [...(this.#byUid.get(uid) ?? [])];
  }

  /** Returns the record of a domain; a new one in memory if there was none. */
  ensure(uid: number, domainId: number, name: string): CertificateRecord {
    const known = this.find(uid, domainId);
    if (known !== undefined) return known;
    const record: CertificateRecord = {
      uid,
      domain_id: domainId,
      name,
      held: [],
      order: null,
      begun: 0,
      begun_at: 0,
      skipped_at: 0,
      failure: null,
    };
    this.#remember(record);
    return record;
  }

  /** Writes the record's state at the time of the write. Writes run one after the other. */
  async save(record: CertificateRecord): Promise<void> {
    await this.#inTurn(record, async () => {
      if (this.#records.get(recordName(record)) !== record) return;
      await storeDurably(this.#recordFile(record), JSON.stringify(record));
      this.#changes.record();
    });
  }

  /** Removes the record and the keys of all its certificates. */
  async remove(record: CertificateRecord): Promise<void> {
    this.#records.delete(recordName(record));
    this.#byUid.get(record.uid)?.delete(record);
    if (this.#byUid.get(record.uid)?.size === 0) this.#byUid.delete(record.uid);
    await this.#inTurn(record, async () => {
      // The record is removed last: until then it lists what exists.
      await Promise.all(record.held.map(({ key }) => rm(this.#materialFile(key), { force: true })));
      await rm(this.#recordFile(record), { force: true });
      await syncFolder(this.#folder);
      this.#changes.record();
    });
  }

  async storeMaterial(key: string, { privateKey, chain }: Material): Promise<void> {
    await storeDurably(this.#materialFile(key), `${privateKey.trim()}\n${chain.trim()}\n`);
    this.#changes.record();
  }

  async removeMaterial(key: string): Promise<void> {
    await rm(this.#materialFile(key), { force: true });
  }

  /** Undefined when it is lost, or does not match the record. */
  async material({ key, fingerprint }: Held): Promise<Material | undefined> {
    const text = await readFile(this.#materialFile(key), 'utf8').catch(() => '');
    const at = text.indexOf('-----BEGIN CERTIFICATE-----');
    if (at < 0) return undefined;
    const [privateKey, chain] = [text.slice(0, at), text.slice(at)];
    try {
      const certificate = new X509Certificate(chain);
      const fits = certificate.checkPrivateKey(createPrivateKey(privateKey));
      return fits && certificate.fingerprint256 === fingerprint ? { privateKey, chain } : undefined;
    } catch {
      return undefined;
    }
  }

  async #inTurn(record: CertificateRecord, write: () => Promise<void>): Promise<void> {
    const name = recordName(record);
    const before = this.#writes.get(name) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(write);
    this.#writes.set(name, turn);
    try {
      await turn;
    } finally {
      if (this.#writes.get(name) === turn) this.#writes.delete(name);
    }
  }

  #load(): void {
    const files = readdirSync(this.#folder);
    for (const file of files) {
      if (file.endsWith(LEFTOVER_SUFFIX)) unlinkSync(path.join(this.#folder, file));
      else if (RECORD_NAME.test(file)) this.#loadRecord(file);
    }
    const isInDoubt = this.quarantined.length > 0 || files.some((file) => file.endsWith('.unreadable'));
    // Keys that were never recorded, or that a record no longer contains.
    const held = new Set([...this.#records.values()].flatMap((record) => record.held.map(({ key }) => key)));
    for (const file of files) {
      const key = MATERIAL_NAME.exec(file)?.[1];
      if (key !== undefined && !held.has(key) && !isInDoubt) unlinkSync(path.join(this.#folder, file));
    }
  }

  #loadRecord(file: string): void {
    const full = path.join(this.#folder, file);
    try {
      const record = certificateRecordSchema.parse(JSON.parse(readFileSync(full, 'utf8')));
      if (`${recordName(record)}.json` !== file) throw new Error('it is of another domain');
      this.#remember(record);
    } catch {
      renameSync(full, `${full}.unreadable`);
      this.quarantined.push(`${full}.unreadable`);
    }
  }

  #remember(record: CertificateRecord): void {
    this.#records.set(recordName(record), record);
    const ofUid = this.#byUid.get(record.uid) ?? new Set();
    this.#byUid.set(record.uid, ofUid.add(record));
  }

  #recordFile(record: CertificateRecord): string {
    return path.join(this.#folder, `${recordName(record)}.json`);
  }

  #materialFile(key: string): string {
    return path.join(this.#folder, `${key}.pem`);
  }
}
