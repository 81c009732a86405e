import type { AccountSpec, DatabaseSpec } from '@innkeeper/protocol';
import type { DatabaseState, WantedDatabase } from '../../host/host.ts';
import { HostError } from '../../host/host-error.ts';
import { ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';

type DatabaseChange = Change & { readonly name: string } & (
    | { readonly kind: 'claim' | 'create' | 'end-sessions' | 'note-revision' | 'drop' | 'release' }
    | { readonly kind: 'set-user' | 'drop-user'; readonly host: string }
  );

/** The server itself, by its socket and by its loopback addresses. */
const LOCAL_PLACES = ['localhost', '127.0.0.1', '::1'];

/**
 * The account's databases. One that stands in the way of another does not hold the others back: it is told
 * once all of them are as they should be.
 */
export const databasesDriver: Driver<readonly DatabaseState[], DatabaseChange> = {
  name: 'databases',
  buildsOn: ['user'],

  observe: (spec, host) => host.databases.observe(ownerOf(spec), spec.databases.map(wantedOf)),

  plan(spec, states) {
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
      else changes.push(...towards(spec, database, state));
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
        return databases.setUser(owner, wantedOf(database), change.host, isSuspended(spec));
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
};

function wantedOf({ db_name, password, password_revision }: DatabaseSpec): WantedDatabase {
  return { name: db_name, password, passwordRevision: password_revision };
}

function isSuspended(spec: AccountSpec): boolean {
  return spec.desired_state === 'suspended';
}

function towards(
  spec: AccountSpec,
  { db_name: name, password_revision, allowed_ips }: DatabaseSpec,
  state: DatabaseState,
): DatabaseChange[] {
  const changes: DatabaseChange[] = [];
  const locked = isSuspended(spec);
  const isNewPassword = state.passwordRevision !== password_revision;
  const places = [...LOCAL_PLACES, ...allowed_ips];
  if (state.claimedBy === undefined)
    changes.push({ kind: 'claim', name, summary: `claim the database ${name}` });
  if (!state.exists) changes.push({ kind: 'create', name, summary: `create the database ${name}` });
  for (const host of places) {
    const user = state.users.find((candidate) => candidate.host === host);
    if (user?.right === true && user.locked === locked && !isNewPassword) continue;
    const how = locked ? 'lock' : 'set';
    changes.push({ kind: 'set-user', name, host, summary: `${how} the user ${name} for ${host}` });
  }
  changes.push(...withoutUsers(state, places));
  if (isNewPassword)
    changes.push({ kind: 'note-revision', name, summary: `note the password revision of ${name}` });
  if (locked && state.sessions > 0)
    changes.push({ kind: 'end-sessions', name, summary: `end ${state.sessions} connections of ${name}` });
  return changes;
}

function away(state: DatabaseState): DatabaseChange[] {
  const { name } = state;
  return [
    ...withoutUsers(state, []),
    ...(state.sessions > 0
      ? [{ kind: 'end-sessions', name, summary: `end ${state.sessions} connections of ${name}` } as const]
      : []),
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
  return new HostError('Conflict', `On this server, and not made by Innkeeper: ${names}.`, {
    concerns: foreign.map(({ database_id }) => database_id),
  });
}
