import { lstatSync, readFileSync, renameSync } from 'node:fs';
import { link, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withAccountLock } from '../../node/account-locks.ts';
import type { Changes } from '../../node/changes.ts';
import { coalesce, type Request } from '../../node/coalesce.ts';
import { syncFolder, writeSynced } from '../../node/durable-files.ts';
import type { Exec } from '../../node/exec.ts';
import { HostError } from '../../node/host-error.ts';
import { ifThere } from '../../node/if-there.ts';
import type { Owner } from '../../node/owner.ts';
import { left, type Trace, type Traced } from '../../node/trace.ts';
import { AccountTables, type AccountTexts, type TableName, tableNames } from './account-tables.ts';
import type { AccountDatabase, AccountEdit, AccountEntries } from './host.ts';

/**
 * Rewrites passwd, shadow, group and gshadow as a whole. All waiting edits share one rewrite, under the lock that all
 * account tools take. Each changed file is written beside the old one with its owner and mode and synced. The old file
 * becomes the backup (`passwd-`), and the new one is renamed over it. passwd comes last: so every user in it has a
 * shadow line. If an editor changed a file without the lock, the rewrite starts again.
 */
const ATTEMPTS = 10;

interface Snapshot {
  readonly tables: AccountTables;
  readonly identities: Readonly<Record<TableName, string>>;
}

export class AccountFiles implements AccountDatabase, Traced {
  readonly #exec: Exec;
  readonly #changes: Changes;
  readonly #folder: string;
  #cached: Snapshot | undefined;
  readonly #edit = coalesce<AccountEdit, void>((requests) => this.#rewrite(requests));

  constructor(exec: Exec, changes: Changes, folder = '/etc') {
    this.#exec = exec;
    this.#changes = changes;
    this.#folder = folder;
  }

  async find(owner: Owner): Promise<AccountEntries> {
    const entries = this.#load().tables.find(owner);
    // The uid of an account that has lost its line is still that of its logins.
    const keys = entries.logins.length > 0 ? [owner.name] : [owner.name, `${owner.uid}`];
    const elsewhere = entries.passwd.length === 0 && (await this.#knownElsewhere(keys));
    return { ...entries, elsewhere };
  }

  async findStranger(owner: Owner, accountId: number): Promise<string | undefined> {
    return this.#load().tables.findStranger(owner, accountId);
  }

  edit(edit: AccountEdit): Promise<void> {
    return this.#edit(edit);
  }

  async #rewrite(requests: readonly Request<AccountEdit, void>[]): Promise<void> {
    const refused = await withAccountLock(this.#exec, this.#folder, async () => {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const before = this.#load();
        // The tables are edited in place, so they differ from the files on disk until they are saved.
        this.#cached = undefined;
        const refusals = applyEdits(before.tables, requests);
        const isRemoval = requests.some(({ input }) => ['remove', 'remove-logins'].includes(input.kind));
        if (await this.#save(before, isRemoval)) return refusals;
      }
      throw new HostError('Failed', 'The account database changes faster than it can be rewritten.');
    });
    for (const request of requests) {
      if (refused.has(request)) request.reject(refused.get(request));
      else request.resolve();
    }
  }

  /** Returns false when another program wrote one of the files in the meantime. */
  async #save({ tables, identities }: Snapshot, isRemoval: boolean): Promise<boolean> {
    const names = tableNames.filter((name) => tables.isChanged(name));
    await Promise.all(names.map((name) => this.#stage(name, tables.text(name), isRemoval)));
    for (const name of names) {
      const path = this.#path(name);
      if (identityOf(path) !== identities[name]) return false;
      await rename(`${path}-.innkeeper`, `${path}-`);
      if (identityOf(path) !== identities[name]) return false;
      renameSync(`${path}.innkeeper`, path);
      this.#changes.record();
    }
    if (names.length > 0) await syncFolder(this.#folder);
    tables.saved();
    const changed = Object.fromEntries(names.map((name) => [name, identityOf(this.#path(name))]));
    this.#cached = { tables, identities: { ...identities, ...changed } };
    return true;
  }

  async #stage(name: TableName, text: string, isRemoval: boolean): Promise<void> {
    const path = this.#path(name);
    const { mode, uid, gid } = await stat(path);
    const access = { mode: mode & 0o7777, uid, gid };
    await writeSynced(`${path}.innkeeper`, text, access);
    await rm(`${path}-.innkeeper`, { force: true });
    // A removed account is removed from the backup, too.
    if (isRemoval) await writeSynced(`${path}-.innkeeper`, text, access);
    else await link(path, `${path}-.innkeeper`);
  }

  /** Synchronous, so that concurrent callers share one read. */
  #load(): Snapshot {
    const identities = this.#identities();
    const isFresh = tableNames.every((name) => identities[name] === this.#cached?.identities[name]);
    if (this.#cached !== undefined && isFresh) return this.#cached;
    const texts = tableNames.map((name) => [name, readFileSync(this.#path(name), 'latin1')]);
    this.#cached = { tables: new AccountTables(Object.fromEntries(texts) as AccountTexts), identities };
    return this.#cached;
  }

  #identities(): Snapshot['identities'] {
    const entries = tableNames.map((name) => [name, identityOf(this.#path(name))]);
    return Object.fromEntries(entries) as Snapshot['identities'];
  }

  /** Other name services are queried only while the files do not contain the name or the uid. */
  async #knownElsewhere(keys: readonly string[]): Promise<boolean> {
    // Exit code 2: not all of the keys are known.
    const args = ['passwd', '--', ...keys];
    const { stdout } = await this.#exec.run('/usr/bin/getent', args, { accept: [0, 2] });
    return stdout !== '';
  }

  #path(name: TableName): string {
    return join(this.#folder, name);
  }

  async traces(owner: Owner): Promise<Trace[]> {
    const [entries, subordinate] = await Promise.all([this.find(owner), subordinateIds(owner)]);
    return [
      ...entries.passwd.map((entry) => left('user', entry.name)),
      ...entries.groups.map((entry) => left('group', entry.name)),
      ...entries.logins.map((entry) => left('user', entry.name)),
      ...entries.memberOf.map((group) => left('membership', group)),
      ...(entries.shadow === undefined ? [] : [left('shadow entry', owner.name)]),
      ...(entries.hasGroupShadow ? [left('gshadow entry', owner.name)] : []),
      ...subordinate.map((path) => left('subordinate ids', path)),
    ];
  }
}

/** Applies the edits. Returns those that were refused, with the reasons. */
function applyEdits(
  tables: AccountTables,
  requests: readonly Request<AccountEdit, void>[],
): Map<Request<AccountEdit, void>, unknown> {
  const refused = new Map<Request<AccountEdit, void>, unknown>();
  const today = Math.floor(Date.now() / 86_400_000);
  for (const request of requests) {
    try {
      tables.edit(request.input, today);
    } catch (error) {
      refused.set(request, error);
    }
  }
  return refused;
}

function identityOf(path: string): string {
  const { ino, size, mtimeNs } = lstatSync(path, { bigint: true });
  return `${ino}:${size}:${mtimeNs}`;
}

/** The tables of subordinate ids that contain the account. */
async function subordinateIds({ name }: Owner): Promise<string[]> {
  const found = await Promise.all(
    ['/etc/subuid', '/etc/subgid'].map(async (path) => {
      const text = (await ifThere(readFile(path, 'latin1'))) ?? '';
      return text.split('\n').some((line) => line.startsWith(`${name}:`)) ? [path] : [];
    }),
  );
  return found.flat();
}
