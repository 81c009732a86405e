import { homePath, isFtpLoginName } from '@innkeeper/domain';
import { conflict, HostError } from '../../node/host-error.ts';
import type { Owner } from '../../node/owner.ts';
import {
  type AccountEdit,
  type AccountEntries,
  type GroupEntry,
  LOGIN_HOME,
  LOGIN_SHELL,
  LOGINS_GROUP,
  type LoginEntry,
  loginCommentOf,
  type PasswdEntry,
  type ShadowEntry,
} from './host.ts';

/**
 * passwd, shadow, group and gshadow as lines. Foreign lines are preserved byte for byte (the text is read as latin1).
 * An edit replaces, adds or removes the lines of one account. It is refused with a Conflict when the name, the uid or
 * the gid belongs to something else, or when the user lacks the account's mark: its comment and its home. So a user
 * that was created by hand never belongs to the agent, whatever its uid.
 *
 * An account can have additional logins: users with its uid, a comment and a home of their own, after its line. So the uid
 * has the account's name.
 */
export type TableName = 'passwd' | 'shadow' | 'group' | 'gshadow';
export const tableNames: readonly TableName[] = ['shadow', 'gshadow', 'group', 'passwd'];
export type AccountTexts = Readonly<Record<TableName, string>>;

export class AccountTables {
  readonly #tables: Record<TableName, Table>;

  constructor(texts: AccountTexts) {
    this.#tables = {
      passwd: new Table(texts.passwd),
      shadow: new Table(texts.shadow),
      group: new Table(texts.group),
      gshadow: new Table(texts.gshadow),
    };
  }

  text(name: TableName): string {
    return this.#tables[name].text();
  }

  /** Whether the text of a file differs from what was read. */
  isChanged(name: TableName): boolean {
    return this.#tables[name].isChanged;
  }

  /** Marks the current text as written. */
  saved(): void {
    for (const table of Object.values(this.#tables)) table.isChanged = false;
  }

  find(owner: Owner): Omit<AccountEntries, 'elsewhere'> {
    const { shadow, group, gshadow } = this.#tables;
    return {
      ...this.#identities(owner),
      logins: this.#logins(owner),
      memberOf: group.containing(owner.name).map((line) => groupEntry(line).name),
      shadow: shadow.named(owner.name).map(shadowEntry)[0],
      hasGroupShadow: gshadow.named(owner.name).length > 0,
    };
  }

  /** Throws HostError `Conflict` and then changes nothing. `today` in days since 1970. */
  edit(edit: AccountEdit, today: number): void {
    const { owner } = edit;
    const obstacle = obstacleFor(this.#identities(owner), owner);
    if (obstacle !== undefined) throw conflict(obstacle);
    const stranger = this.findStranger(owner, edit.accountId);
    if (stranger !== undefined) throw conflict(stranger);
    if (edit.kind === 'set-login' && edit.expires === '') this.#refuseMember(owner);
    if (edit.kind === 'put') this.#put(edit, today);
    else if (edit.kind === 'set-login') this.#setLogin(edit, today);
    else if (edit.kind === 'put-logins') this.#putLogins(edit, today);
    else if (edit.kind === 'remove-logins') this.#removeLogins(owner, edit.names);
    else this.#remove(owner);
  }

  #identities(owner: Owner): Pick<AccountEntries, 'passwd' | 'groups'> {
    const { passwd, group } = this.#tables;
    const users = unique([...passwd.named(owner.name), ...passwd.numbered(owner.uid)]).map(passwdEntry);
    return {
      passwd: users.filter((entry) => !isLogin(entry, owner)),
      groups: unique([...group.named(owner.name), ...group.numbered(owner.uid)]).map(groupEntry),
    };
  }

  /**
   * Returns why the user of this name and uid lacks the mark of the account; undefined where it has the mark, or does
   * not exist.
   */
  findStranger({ name, uid }: Owner, accountId: number): string | undefined {
    const known = this.#tables.passwd.named(name).map(passwdEntry);
    const entry = known.find((candidate) => candidate.uid === uid);
    if (entry === undefined) return undefined;
    const { comment, home } = markOf(name, accountId);
    if (entry.comment !== comment)
      return `The user ${name} was not made for account ${accountId}: its comment is not "${comment}".`;
    if (entry.home !== home)
      return `The user ${name} was not made for account ${accountId}: its home is not ${home}.`;
    return undefined;
  }

  #logins(owner: Owner): LoginEntry[] {
    const { passwd, shadow, group } = this.#tables;
    return passwd
      .numbered(owner.uid)
      .map(passwdEntry)
      .filter((entry) => isLogin(entry, owner))
      .map(({ name, comment, shell }) => {
        const secret = shadow.named(name).map(shadowEntry)[0];
        const isMember = group.containing(name).some((line) => groupEntry(line).name === LOGINS_GROUP);
        return { name, comment, shell, password: secret?.password, expires: secret?.expires, isMember };
      });
  }

  #putLogins({ owner, accountId, logins }: AccountEdit & { kind: 'put-logins' }, today: number): void {
    const { passwd, shadow, group, gshadow } = this.#tables;
    if (passwd.named(owner.name).length === 0)
      throw new HostError('Failed', `The user ${owner.name} does not exist.`);
    if (group.named(LOGINS_GROUP).length === 0)
      throw new HostError('Failed', `The group ${LOGINS_GROUP} does not exist: run the installer again.`);
    for (const { name } of logins)
      if (passwd.named(name).some((content) => !isLogin(passwdEntry(content), owner)))
        throw conflict(`The user ${name} exists already.`);
    for (const { name, password } of logins) {
      const id = `${owner.uid}`;
      passwd.put(name, line(name, 'x', id, id, loginCommentOf(accountId), LOGIN_HOME, LOGIN_SHELL));
      shadow.put(name, line(name, password, `${today}`, '0', '99999', '7', '', '', ''));
      for (const table of [group, gshadow]) table.addMember(LOGINS_GROUP, name);
    }
  }

  /** Removes those that are the account's. */
  #removeLogins(owner: Owner, names: readonly string[]): void {
    const { passwd, shadow, group, gshadow } = this.#tables;
    for (const { name } of this.#logins(owner)) {
      if (!names.includes(name)) continue;
      for (const table of [passwd, shadow]) table.remove(name);
      for (const table of [group, gshadow]) table.removeMember(name);
    }
  }

  #refuseMember({ name }: Owner): void {
    const obstacle = membershipObstacle(
      name,
      this.#tables.group.containing(name).map((content) => groupEntry(content).name),
    );
    if (obstacle !== undefined) throw conflict(obstacle);
  }

  #put({ owner, accountId }: AccountEdit & { kind: 'put' }, today: number): void {
    const { passwd, shadow, group, gshadow } = this.#tables;
    const { name, uid } = owner;
    const { comment, home } = markOf(name, accountId);
    const known = passwd.named(name)[0];
    const shell = known === undefined ? '/usr/sbin/nologin' : passwdEntry(known).shell;
    passwd.put(name, line(name, 'x', `${uid}`, `${uid}`, comment, home, shell));
    // A restored line is the last one, and the account's must be the first with its uid.
    if (known === undefined)
      for (const login of this.#logins(owner)) {
        const [content] = passwd.named(login.name);
        passwd.remove(login.name);
        passwd.put(login.name, content!);
      }
    if (group.named(name).length === 0) group.put(name, line(name, 'x', `${uid}`, ''));
    if (gshadow.named(name).length === 0) gshadow.put(name, line(name, '!', '', ''));
    if (shadow.named(name).length === 0)
      shadow.put(name, line(name, '!', `${today}`, '0', '99999', '7', '', '1', ''));
  }

  #setLogin(edit: AccountEdit & { kind: 'set-login' }, today: number): void {
    const { passwd, shadow } = this.#tables;
    const { name } = edit.owner;
    const known = passwd.named(name)[0];
    const secret = shadow.named(name)[0];
    if (known === undefined || secret === undefined)
      throw new HostError('Failed', `The user ${name} does not exist.`);
    const { uid, gid, comment, home } = passwdEntry(known);
    passwd.put(name, line(name, 'x', `${uid}`, `${gid}`, comment, home, edit.shell));
    const fields = secret.split(':');
    const changed = fields[1] === edit.password ? (fields[2] ?? '') : `${today}`;
    shadow.put(name, line(name, edit.password, changed, '0', '99999', '7', '', edit.expires, ''));
  }

  #remove(owner: Owner): void {
    const { name } = owner;
    this.#removeLogins(
      owner,
      this.#logins(owner).map((login) => login.name),
    );
    for (const table of Object.values(this.#tables)) table.remove(name);
    this.#tables.group.removeMember(name);
    this.#tables.gshadow.removeMember(name);
  }
}

/** Whether a user is an additional login of the account: none that somebody else created looks like it. */
function isLogin({ name, uid, gid, home, comment }: PasswdEntry, owner: Owner): boolean {
  return (
    uid === owner.uid &&
    gid === owner.uid &&
    home === LOGIN_HOME &&
    isFtpLoginName(name, owner.name) &&
    /^FTP login of hosting account \d+$/.test(comment)
  );
}

/** The mark that tells an account's user from a user that somebody else created. */
function markOf(name: string, accountId: number): { comment: string; home: string } {
  return { comment: `Hosting account ${accountId}`, home: homePath(name) };
}

/** Returns why a member of other groups gets no login; undefined for a user without other groups. */
export function membershipObstacle(name: string, memberOf: readonly string[]): string | undefined {
  return memberOf.length === 0
    ? undefined
    : `The user ${name} is a member of ${memberOf.join(', ')}; an account is a member of no other group.`;
}

/** Returns what keeps the owner from having this uid and name; undefined when nothing does. */
export function obstacleFor(
  entries: Pick<AccountEntries, 'passwd' | 'groups'>,
  { name, uid }: Owner,
): string | undefined {
  const user = entries.passwd.find((entry) => entry.name !== name || entry.uid !== uid);
  if (user?.name === name) return `The user ${name} exists with uid ${user.uid}, not ${uid}.`;
  if (user !== undefined) return `The uid ${uid} belongs to the user ${user.name}.`;
  const group = entries.groups.find((entry) => entry.name !== name || entry.gid !== uid);
  if (group?.name === name) return `The group ${name} exists with gid ${group.gid}, not ${uid}.`;
  if (group !== undefined) return `The gid ${uid} belongs to the group ${group.name}.`;
  if (entries.passwd.length > 1) return `The user ${name} has two entries in /etc/passwd.`;
  return undefined;
}

/** The lines of one file, with an index by name, by number (third field) and by member (fourth). */
class Table {
  isChanged = false;
  #lines: (string | undefined)[] = [];
  #nisAt = -1;
  readonly #byName = new Map<string, number[]>();
  readonly #byNumber = new Map<string, number[]>();
  readonly #byMember = new Map<string, number[]>();

  constructor(text: string) {
    this.#fill(text.split('\n'));
  }

  text(): string {
    return this.#lines.filter((content) => content !== undefined).join('\n');
  }

  named(name: string): string[] {
    return this.#present(this.#byName.get(name), (content) => content.startsWith(`${name}:`));
  }

  numbered(number: number): string[] {
    return this.#present(this.#byNumber.get(`${number}`), (content) => numberOf(content) === `${number}`);
  }

  containing(member: string): string[] {
    return this.#present(this.#byMember.get(member), (content) => membersOf(content).includes(member));
  }

  put(name: string, content: string): void {
    const at = this.#byName.get(name)?.find((index) => this.#lines[index] !== undefined);
    if (at === undefined) this.#add(content);
    else this.#set(at, content);
  }

  remove(name: string): void {
    for (const at of this.#byName.get(name) ?? [])
      if (this.#lines[at]?.startsWith(`${name}:`) === true) this.#set(at, undefined);
  }

  removeMember(member: string): void {
    for (const at of this.#byMember.get(member) ?? []) {
      const content = this.#lines[at];
      if (content === undefined || !membersOf(content).includes(member)) continue;
      const left = membersOf(content).filter((name) => name !== member);
      this.#set(at, [...content.split(':').slice(0, 3), left.join(',')].join(':'));
    }
  }

  addMember(name: string, member: string): void {
    const at = this.#byName.get(name)?.find((index) => this.#lines[index] !== undefined);
    const content = at === undefined ? undefined : this.#lines[at];
    if (at === undefined || content === undefined) return;
    const members = membersOf(content);
    if (!members.includes(member))
      this.#set(at, [...content.split(':').slice(0, 3), [...members, member].join(',')].join(':'));
  }

  #set(at: number, content: string | undefined): void {
    if (this.#lines[at] === content) return;
    this.isChanged = true;
    this.#lines[at] = content;
    if (content !== undefined) this.#index(at, content);
  }

  /** Appends the line, but before lines of NIS (`+`, `-`), which stay last. */
  #add(content: string): void {
    this.isChanged = true;
    if (this.#nisAt !== -1) {
      this.#fill(this.#lines.toSpliced(this.#nisAt, 0, content));
      return;
    }
    if (this.#lines.at(-1) === '') this.#lines.pop();
    this.#lines.push(content, '');
    this.#index(this.#lines.length - 2, content);
  }

  #fill(lines: (string | undefined)[]): void {
    for (const index of [this.#byName, this.#byNumber, this.#byMember]) index.clear();
    this.#lines = lines;
    this.#nisAt = lines.findIndex(
      (known) => known?.startsWith('+') === true || known?.startsWith('-') === true,
    );
    for (const [at, content] of lines.entries()) if (content !== undefined) this.#index(at, content);
  }

  #index(at: number, content: string): void {
    const end = content.indexOf(':');
    if (end < 1) return;
    remember(this.#byName, content.slice(0, end), at);
    const number = numberOf(content);
    if (number !== '') remember(this.#byNumber, number, at);
    for (const member of membersOf(content)) remember(this.#byMember, member, at);
  }

  #present(at: readonly number[] | undefined, matches: (content: string) => boolean): string[] {
    return (at ?? [])
      .map((index) => this.#lines[index])
      .filter((content): content is string => content !== undefined && matches(content));
  }
}

function remember(map: Map<string, number[]>, key: string, at: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [at]);
  else if (!known.includes(at)) known.push(at);
}

/** Only lines of group and gshadow have four fields. */
function membersOf(content: string): string[] {
  const fields = content.split(':', 5);
  const members = fields.length === 4 ? fields[3] : '';
  return members === undefined || members === '' ? [] : members.split(',');
}

function numberOf(content: string): string {
  const second = content.indexOf(':', content.indexOf(':') + 1) + 1;
  if (second === 0) return '';
  const end = content.indexOf(':', second);
  return content.slice(second, end === -1 ? undefined : end);
}

function unique(lines: readonly string[]): string[] {
  return [...new Set(lines)];
}

function line(...fields: readonly string[]): string {
  if (fields.some((field) => /[:\n\r\0]/.test(field)))
    throw new TypeError('A field of the account database holds a separator.');
  return fields.join(':');
}

function passwdEntry(content: string): PasswdEntry {
  const [name = '', , uid = '', gid = '', comment = '', home = '', shell = ''] = content.split(':');
  return { name, uid: Number(uid), gid: Number(gid), comment, home, shell };
}

function groupEntry(content: string): GroupEntry {
  const [name = '', , gid = ''] = content.split(':');
  return { name, gid: Number(gid), members: membersOf(content) };
}

function shadowEntry(content: string): ShadowEntry {
  const [name = '', password = '', , , , , , expires = ''] = content.split(':');
  return { name, password, expires };
}
