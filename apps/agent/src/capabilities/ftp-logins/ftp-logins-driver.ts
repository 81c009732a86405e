import type { AccountSpec, FtpLoginSpec } from '@innkeeper/protocol';
import { type Claim, observeClaim, ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';
import type { Host } from '../host.ts';
import { LOGIN_SHELL, loginCommentOf } from '../user/host.ts';
import type { LoginFiles } from './host.ts';

interface FtpLoginsObserved {
  readonly claim: Claim;
  readonly files: LoginFiles | undefined;
  /** Wanted folders that do not exist, parents first. */
  readonly missing: readonly string[];
  readonly isServed: boolean;
}

type FtpLoginsChange = Change &
  (
    | { readonly kind: 'set'; readonly names: readonly string[] }
    | { readonly kind: 'create-folders'; readonly paths: readonly string[] }
    | { readonly kind: 'serve' }
  );

const LOCKED = '!';

/**
 * Additional logins of an account: for each a user with the account's uid, the files that servers read, and the FTP
 * server, which runs if any account has a login. Only an active account has logins. What changes a login ends its
 * sessions. The driver is the last one, so its failure holds nothing else up.
 */
export const ftpLoginsDriver: Driver<FtpLoginsObserved, FtpLoginsChange> = {
  name: 'ftp-logins',
  isShared: true,
  buildsOn: ['remains', 'user', 'quota', 'home', 'slice', 'processes'],

  async observe(spec, host) {
    const owner = ownerOf(spec);
    const logins = wantedLogins(spec);
    const [claim, files, missing, isServed] = await Promise.all([
      observeClaim(spec, host),
      host.ftpLogins.read(owner),
      logins.length === 0 ? [] : host.homes.missing(owner, foldersOf(logins)),
      logins.length === 0 || host.ftpLogins.isServed(),
    ]);
    return { claim, files, missing, isServed };
  },

  plan(spec, { claim, files, missing, isServed }) {
    if (claim.uidIsForeign || (claim.obstacle !== undefined && spec.desired_state !== 'active')) return [];
    const logins = wantedLogins(spec);
    const names = wrongNames(spec, logins, claim, files);
    const filesAreRight = logins.length === 0 ? files === undefined : files?.folders === folderLines(spec);
    const set: FtpLoginsChange[] =
      names.length === 0 && filesAreRight
        ? []
        : [{ kind: 'set', names, summary: `set the FTP logins ${names.join(', ')}` }];
    const folders: FtpLoginsChange[] =
      missing.length === 0
        ? []
        : [{ kind: 'create-folders', paths: missing, summary: `make ${missing.join(', ')}` }];
    const serve: FtpLoginsChange[] = isServed ? [] : [{ kind: 'serve', summary: 'start the FTP server' }];
    return [...folders, ...set, ...serve];
  },

  async apply(change, spec, host) {
    const owner = ownerOf(spec);
    if (change.kind === 'serve') await host.ftpLogins.serve();
    else if (change.kind === 'create-folders') await host.homes.createFolders(owner, change.paths, '0755');
    else await set(spec, change.names, host);
  },
};

/**
 * A login is taken away before its sessions end, and comes back last: until then a crash leaves something that the next
 * pass finds. So no session of the time before a change survives it.
 */
async function set(spec: AccountSpec, names: readonly string[], host: Host): Promise<void> {
  const owner = ownerOf(spec);
  const account = { owner, accountId: spec.account_id };
  const logins = wantedLogins(spec);
  const { entries } = await observeClaim(spec, host);
  if (entries.logins.some(({ name }) => names.includes(name)))
    await host.accounts.edit({ kind: 'remove-logins', ...account, names });
  await host.ftpLogins.endSessions(owner, names);
  if (logins.length === 0) return await host.ftpLogins.remove(owner);
  await host.ftpLogins.write(owner, folderLines(spec), keyTexts(logins));
  const changed = logins.filter(({ name }) => names.includes(name));
  if (changed.length > 0)
    await host.accounts.edit({ kind: 'put-logins', ...account, logins: changed.map(userOf) });
}

function wantedLogins(spec: AccountSpec): readonly FtpLoginSpec[] {
  return spec.desired_state === 'active' ? spec.ftp_logins : [];
}

/** Names of logins that are not as wanted, or not wanted. */
function wrongNames(
  spec: AccountSpec,
  logins: readonly FtpLoginSpec[],
  { entries }: Claim,
  files: LoginFiles | undefined,
): string[] {
  const wanted = new Map(logins.map((login) => [login.name, login]));
  const known = new Map(entries.logins.map((login) => [login.name, login]));
  const keys = files?.keys ?? new Map<string, string | undefined>();
  const texts = keyTexts(logins);
  const folders = new Map((files?.folders ?? '').split('\n').map((line) => [line.split('\t')[0]!, line]));
  folders.delete('');
  const all = new Set([...wanted.keys(), ...known.keys(), ...keys.keys(), ...folders.keys()]);
  return [...all].filter((name) => {
    const login = wanted.get(name);
    const user = known.get(name);
    if (login === undefined || user === undefined) return true;
    const isRight =
      user.comment === loginCommentOf(spec.account_id) &&
      user.shell === LOGIN_SHELL &&
      user.password === userOf(login).password &&
      user.expires === '' &&
      user.isMember &&
      folders.get(name) === folderLine(spec, login) &&
      keys.has(name) === texts.has(name) &&
      keys.get(name) === texts.get(name);
    return !isRight;
  });
}

const userOf = ({ name, password_hash }: FtpLoginSpec) => ({ name, password: password_hash ?? LOCKED });

const folderLine = ({ linux_user }: AccountSpec, { name, folder }: FtpLoginSpec) =>
  `${name}\t${linux_user}\t${folder}`;

function folderLines(spec: AccountSpec): string {
  return wantedLogins(spec)
    .map((login) => `${folderLine(spec, login)}\n`)
    .join('');
}

function keyTexts(logins: readonly FtpLoginSpec[]): Map<string, string> {
  const texts = logins.map(
    ({ name, public_keys }) => [name, public_keys.map((key) => `${key}\n`).join('')] as const,
  );
  return new Map(texts.filter(([, text]) => text !== ''));
}

/** The folders and their parents, which come first. */
function foldersOf(logins: readonly FtpLoginSpec[]): string[] {
  const paths = logins.flatMap(({ folder }) => {
    const parts = folder.split('/');
    return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  });
  return [...new Set(paths)];
}
