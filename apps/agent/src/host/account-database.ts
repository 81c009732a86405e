import { lstatSync, renameSync } from 'node:fs';
import { link, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withAccountLock } from './account-locks.ts';
import { AccountTables, type AccountTexts, type TableName, tableNames } from './account-tables.ts';
import { assertOwner } from './account-uid.ts';
import type { Changes } from './changes.ts';
import { coalesce, type Request } from './coalesce.ts';
import { syncFolder, writeSynced } from './config-file.ts';
import type { Exec } from './exec.ts';
import type { AccountDatabase, AccountEdit, AccountEntries, Owner } from './host.ts';
import { HostError } from './host-error.ts';

/**
 * passwd, shadow, group and gshadow, rewritten as a whole: all edits that wait go into one rewrite, under
 * the lock that everybody takes. Each changed file is written beside the old one with its owner and mode, synced,
 * and renamed over it, after the old one has become the backup (`passwd-`), less the accounts that go. passwd comes last: whoever is
 * in it has a shadow line. A file that an editor changed without the lock makes the rewrite start again.
 */
const ATTEMPTS = 10;

interface Snapshot {
  readonly texts: AccountTexts;
  readonly identities: Readonly<Record<TableName, string>>;
}

export class AccountFiles implements AccountDatabase {
  readonly #exec: Exec;
  readonly #changes: Changes;
  readonly #folder: string;
  #cached: { key: string; tables: AccountTables } | undefined;
  readonly #edit = coalesce<AccountEdit, void>((requests) => this.#rewrite(requests));

  constructor(exec: Exec, changes: Changes, folder = '/etc') {
    this.#exec = exec;
    this.#changes = changes;
    this.#folder = folder;
  }

  async find(owner: Owner): Promise<AccountEntries> {
    assertOwner(owner);
    const entries = (await this.#tables()).find(owner);
    const elsewhere = entries.passwd.length === 0 && (await this.#knownElsewhere(owner));
    return { ...entries, elsewhere };
  }

  edit(edit: AccountEdit): Promise<void> {
    assertOwner(edit.owner);
    return this.#edit(edit);
  }

  async #tables(): Promise<AccountTables> {
    const key = tableNames.map((name) => this.#identity(name)).join();
    if (this.#cached?.key === key) return this.#cached.tables;
    const snapshot = await this.#read();
    const tables = new AccountTables(snapshot.texts);
    this.#cached = { key: tableNames.map((name) => snapshot.identities[name]).join(), tables };
    return tables;
  }

  async #rewrite(requests: readonly Request<AccountEdit, void>[]): Promise<void> {
    const failures = await withAccountLock(this.#exec, this.#folder, async () => {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const before = await this.#read();
        const { tables, backups, refused } = applyEdits(before.texts, requests);
        const changed = tableNames.filter((name) => tables.text(name) !== before.texts[name]);
        await Promise.all(
          changed.map((name) => this.#stage(name, before.texts[name], tables.text(name), backups.text(name))),
        );
        if (await this.#replace(changed, before)) return refused;
      }
      throw new HostError('Failed', 'The account database changes faster than it can be rewritten.');
    });
    for (const request of requests) {
      if (failures.has(request)) request.reject(failures.get(request));
      else request.resolve();
    }
  }

  async #stage(name: TableName, old: string, text: string, backup: string): Promise<void> {
    const path = this.#path(name);
    const { mode, uid, gid } = await stat(path);
    const access = { mode: mode & 0o7777, uid, gid };
    await writeSynced(`${path}.innkeeper`, text, access);
    await rm(`${path}-.innkeeper`, { force: true });
    if (backup === old) await link(path, `${path}-.innkeeper`);
    else await writeSynced(`${path}-.innkeeper`, backup, access);
  }

  /** False when somebody else wrote one of the files in the meantime. */
  async #replace(names: readonly TableName[], before: Snapshot): Promise<boolean> {
    for (const name of names) {
      const path = this.#path(name);
      if (identityOf(path) !== before.identities[name]) return false;
      await rename(`${path}-.innkeeper`, `${path}-`);
      if (identityOf(path) !== before.identities[name]) return false;
      renameSync(`${path}.innkeeper`, path);
      this.#changes.record();
    }
    if (names.length > 0) await syncFolder(this.#folder);
    return true;
  }

  async #read(): Promise<Snapshot> {
    const entries = await Promise.all(
      tableNames.map(async (name) => {
        const identity = this.#identity(name);
        return [name, await readFile(this.#path(name), 'latin1'), identity] as const;
      }),
    );
    return {
      texts: Object.fromEntries(entries.map(([name, text]) => [name, text])) as unknown as AccountTexts,
      identities: Object.fromEntries(
        entries.map(([name, , identity]) => [name, identity]),
      ) as Snapshot['identities'],
    };
  }

  /** Other name services are asked only while the files know nothing. */
  async #knownElsewhere({ name, uid }: Owner): Promise<boolean> {
    // Exit code 2: not all of the keys are known.
    const args = ['passwd', '--', name, `${uid}`];
    const { stdout } = await this.#exec.run('/usr/bin/getent', args, { accept: [0, 2] });
    return stdout !== '';
  }

  #identity(name: TableName): string {
    return identityOf(this.#path(name));
  }

  #path(name: TableName): string {
    return join(this.#folder, name);
  }
}

function applyEdits(texts: AccountTexts, requests: readonly Request<AccountEdit, void>[]) {
  const tables = new AccountTables(texts);
  // An account that is gone is not kept in the backup either.
  const backups = new AccountTables(texts);
  const refused = new Map<Request<AccountEdit, void>, unknown>();
  const today = Math.floor(Date.now() / 86_400_000);
  for (const request of requests) {
    try {
      tables.edit(request.input, today);
      if (request.input.kind === 'remove') backups.edit(request.input, today);
    } catch (error) {
      refused.set(request, error);
    }
  }
  return { tables, backups, refused };
}

function identityOf(path: string): string {
  const { ino, size, mtimeNs } = lstatSync(path, { bigint: true });
  return `${ino}:${size}:${mtimeNs}`;
}
