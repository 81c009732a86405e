import type { AccountSpec, DatabaseSpec } from '@innkeeper/protocol';
import { HostError } from '../../node/host-error.ts';
import { ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';
import type { Host } from '../host.ts';
import { LOCAL_PLACES } from './database-statements.ts';
import type { DatabaseState, WantedDatabase } from './host.ts';

type DatabaseChange = Change & { readonly name: string } & (
    | { readonly kind: 'claim' | 'create' | 'end-sessions' | 'note-revision' | 'drop' | 'release' }
    | {
        readonly kind: 'set-user';
        readonly host: string;
        readonly locked: boolean;
        readonly keepOld: boolean;
      }
    | { readonly kind: 'drop-user'; readonly host: string }
  );

/** What users of the account's databases may do now, in addition to the spec. */
type Allowed = Pick<WantedDatabase, 'connections' | 'readOnly'>;

interface Databases {
  readonly states: readonly DatabaseState[];
  readonly allowed: Allowed;
}

/** Maximum concurrent connections of one user, for each host that it connects from. */
const CONNECTIONS = 30;
const READ_ONLY =
  'Read-only because the account is above its disk limit. Delete data or files to write again.';

/**
 * The account's databases. A conflict of one database does not hold the others back: it is reported after all of them
 * have been changed.
 */
export const databasesDriver: Driver<Databases, DatabaseChange> = {
  name: 'databases',
  buildsOn: ['user'],

  async observe(spec, host) {
    const allowed = allowedOf(spec, host);
    const wanted = spec.databases.map((database) => wantedOf(database, allowed));
    return { states: await host.databases.observe(ownerOf(spec), wanted), allowed };
  },

  plan(spec, { states, allowed }) {
    const changes: DatabaseChange[] = [];
    const foreign: DatabaseSpec[] = [];
    for (const database of spec.databases) {
      const state = states.find(({ name }) => name === database.db_name);
      if (state === undefined) continue;
      const isOurs = state.claimedBy === spec.uid;
      if (spec.desired_state === 'absent' || database.desired_state === 'absent') {
        if (isOurs) changes.push(...away(state));
      } else if (!isOurs && (state.claimedBy !== undefined || state.exists || state.users.length > 0))
        foreign.push(database);
      else changes.push(...towards(spec, database, state, allowed));
    }
    if (changes.length === 0 && foreign.length > 0) throw inTheWay(foreign);
    return changes;
  },

  async apply(change, spec, host) {
    const owner = ownerOf(spec);
    const { databases } = host;
    const database = spec.databases.find(({ db_name }) => db_name === change.name);
    switch (change.kind) {
      case 'claim':
        return databases.claim(owner, change.name);
      case 'create':
        return databases.create(owner, change.name);
      case 'set-user':
        if (database === undefined) return;
        return databases.setUser(owner, wantedOf(database, allowedOf(spec, host)), change.host, change);
      case 'note-revision':
        return databases.noteRevision(owner, change.name, database?.password_revision ?? 0);
      case 'drop-user':
        return databases.dropUser(owner, change.name, change.host);
      case 'end-sessions':
        return databases.endSessions(owner, change.name);
      case 'drop':
        return databases.drop(owner, change.name);
      case 'release':
        return databases.release(owner, change.name);
    }
  },

  statuses(spec, { allowed }) {
    if (!allowed.readOnly) return {};
    return { databases: new Map(spec.databases.map(({ database_id }) => [database_id, READ_ONLY])) };
  },
};

/** Each user has its own connection limit, until the account is limited to its share. */
export function allowedOf(spec: AccountSpec, host: Host): Allowed {
  const owner = ownerOf(spec);
  const share = host.databaseConnections.shareOf(owner);
  const users = spec.databases.flatMap((database) => placesOf(database)).length;
  const connections = share === undefined ? CONNECTIONS : Math.max(1, Math.floor(share / users));
  return { connections: Math.min(connections, CONNECTIONS), readOnly: host.fullDisks.isFull(owner) };
}

export function wantedOf(
  { db_name, password, password_revision }: DatabaseSpec,
  allowed: Allowed,
): WantedDatabase {
  return { name: db_name, password, passwordRevision: password_revision, ...allowed };
}

function placesOf({ allowed_ips }: DatabaseSpec): string[] {
  return [...LOCAL_PLACES, ...allowed_ips];
}

function isSuspended(spec: AccountSpec): boolean {
  return spec.desired_state === 'suspended';
}

function towards(
  spec: AccountSpec,
  database: DatabaseSpec,
  state: DatabaseState,
  { readOnly }: Allowed,
): DatabaseChange[] {
  const { db_name: name, password_revision } = database;
  const changes: DatabaseChange[] = [];
  const locked = isSuspended(spec);
  const isNewPassword = state.passwordRevision !== password_revision;
  const places = placesOf(database);
  if (state.claimedBy === undefined)
    changes.push({ kind: 'claim', name, summary: `claim the database ${name}` });
  if (!state.exists) changes.push({ kind: 'create', name, summary: `create the database ${name}` });
  const isRight = (host: string, wantLocked: boolean) =>
    state.users.some((user) => user.host === host && user.right && user.locked === wantLocked) &&
    !isNewPassword;
  const isTurned = !locked && state.users.some((user) => user.readOnly !== readOnly);
  if (isTurned) {
    changes.push(
      ...places
        .filter((host) => !isRight(host, true))
        .map((host) => setUser(state, host, true, isNewPassword)),
    );
  }
  // A connection keeps the privileges that it started with. Users that are locked although they should not be are in
  // the middle of this change.
  if (isTurned || (!locked && state.sessions > 0 && state.users.some((user) => user.locked)))
    changes.push(endSessions(state));
  changes.push(
    ...places
      .filter((host) => isTurned || !isRight(host, locked))
      .map((host) => setUser(state, host, locked, isNewPassword)),
  );
  changes.push(...withoutUsers(state, places));
  if (isNewPassword)
    changes.push({ kind: 'note-revision', name, summary: `note the password revision of ${name}` });
  if (locked && state.sessions > 0) changes.push(endSessions(state));
  return changes;
}

/**
 * When the password is new, the old one stays valid until everything that uses the database has the new one
 * (`oldPasswordsDriver`).
 */
function setUser(
  { name, passwordRevision }: DatabaseState,
  host: string,
  locked: boolean,
  isNewPassword: boolean,
): DatabaseChange {
  const how = locked ? 'lock' : 'set';
  const keepOld = isNewPassword && passwordRevision > 0;
  return { kind: 'set-user', name, host, locked, keepOld, summary: `${how} the user ${name} for ${host}` };
}

function endSessions({ name, sessions }: DatabaseState): DatabaseChange {
  return { kind: 'end-sessions', name, summary: `end ${sessions} connections of ${name}` };
}

function away(state: DatabaseState): DatabaseChange[] {
  const { name } = state;
  return [
    ...withoutUsers(state, []),
    ...(state.sessions > 0 ? [endSessions(state)] : []),
    ...(state.exists ? [{ kind: 'drop', name, summary: `drop the database ${name}` } as const] : []),
    { kind: 'release', name, summary: `release the database ${name}` },
  ];
}

function withoutUsers({ name, users }: DatabaseState, kept: readonly string[]): DatabaseChange[] {
  return users
    .filter(({ host }) => !kept.includes(host))
    .map(({ host }) => ({ kind: 'drop-user', name, host, summary: `drop the user ${name} for ${host}` }));
}

function inTheWay(foreign: readonly DatabaseSpec[]): HostError {
  const names = foreign.map(({ db_name }) => db_name).join(', ');
  return new HostError(
    'Conflict',
    `These exist on the server, but Innkeeper did not create them: ${names}.`,
    {
      concerns: foreign.map(({ database_id }) => database_id),
    },
  );
}
