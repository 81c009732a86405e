import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AccountChild } from './account-child.ts';
import { Changes } from './changes.ts';
import { Exec } from './exec.ts';

const ALICE = 20_001;
const BOB = 20_002;
const exec = new Exec(new Changes());
const child = new AccountChild(exec);
let base: string;
let home: string;

function own(uid: number, path: string): string {
  chownSync(path, uid, uid);
  return path;
}

function folder(uid: number, path: string, mode = 0o700): string {
  mkdirSync(path, { mode });
  chmodSync(path, mode);
  return own(uid, path);
}

function file(uid: number, path: string, text = 'x'): string {
  writeFileSync(path, text);
  return own(uid, path);
}

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'child-'));
  chmodSync(base, 0o755);
  home = folder(ALICE, join(base, 'alice'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Runs a program with all rights of an account, as PHP or SSH would. */
async function asTenant(code: string, ...args: string[]): Promise<string> {
  const drop = `$) = "${ALICE} ${ALICE}"; use POSIX; POSIX::setgid(${ALICE}); POSIX::setuid(${ALICE});`;
  const argv = ['-e', `${drop} ${code}`, ...args];
  return (await exec.run('/usr/bin/perl', argv, { timeoutMs: 60_000 })).stdout;
}

test('the account can neither signal nor trace its child', async () => {
  await exec.run('/usr/bin/perl', ['-MPOSIX', '-e', 'mkfifo $ARGV[0], 0666 or die', join(home, 'page')]);
  chmodSync(join(home, 'page'), 0o666);
  // Blocks on reading the page until data is written into the pipe.
  const waiting = child.createPage(ALICE, join(home, 'site'), join(home, 'page'), []);
  const find = `
    for (1 .. 500) {
      for my $path (glob '/proc/[0-9]*/status') {
        open my $file, '<', $path or next;
        my $text = do { local $/; <$file> };
        next unless $text =~ /^Uid:\\t0\\t${ALICE}\\t0\\t${ALICE}$/m;
        my ($pid) = $path =~ /(\\d+)/;
        for my $signal (qw(STOP KILL TERM)) { print "signalled " if kill $signal, $pid }
        print syscall($ARGV[0], 16, $pid, 0, 0) == 0 ? "attached" : "refused";
        exit;
      }
      select undef, undef, undef, 0.02;
    }`;
  const ptrace = process.arch === 'arm64' ? '117' : '101';
  expect(await asTenant(find, ptrace)).toBe('refused');
  writeFileSync(join(home, 'page'), 'the page');
  await waiting;
  expect(readFileSync(join(home, 'site/innkeeper-welcome.php'), 'utf8')).toBe('the page');
});

test('creates folders and a page as the account, with the requested modes', async () => {
  await child.createFolders(ALICE, [join(home, 'a'), join(home, 'a/b')], '0700');
  const page = file(0, join(base, 'page'), 'welcome');
  chmodSync(page, 0o644);
  await child.createPage(ALICE, join(home, 'c/site'), page, [join(home, 'c')]);
  const entry = (path: string) => {
    const { uid, gid, mode } = lstatSync(join(home, path));
    return [uid, gid, mode & 0o7777];
  };
  expect(entry('a/b')).toEqual([ALICE, ALICE, 0o700]);
  expect(entry('c')).toEqual([ALICE, ALICE, 0o755]);
  expect(entry('c/site/innkeeper-welcome.php')).toEqual([ALICE, ALICE, 0o644]);
  writeFileSync(page, 'another');
  await child.createPage(ALICE, join(home, 'c/site'), page, []);
  expect(readFileSync(join(home, 'c/site/innkeeper-welcome.php'), 'utf8')).toBe('welcome');
  expect(readdirSync(join(home, 'c'))).toEqual(['site']);
});

test('creates nothing where the account could not', async () => {
  const others = folder(BOB, join(base, 'bob'), 0o755);
  symlinkSync(others, join(home, 'link'));
  await expect(child.createFolders(ALICE, [join(home, 'link/x')], '0755')).rejects.toThrow('Permission');
  expect(readdirSync(others)).toEqual([]);
});

test('empties a home with closed, deep and large folders', async () => {
  folder(ALICE, join(home, 'closed'));
  file(ALICE, join(home, 'closed/file'));
  chmodSync(join(home, 'closed'), 0);
  await asTenant(`chdir $ARGV[0]; for (1 .. 2_500) { mkdir 'deep'; chdir 'deep' }`, home);
  await asTenant(`chdir $ARGV[0]; for (1 .. 12_000) { open my $f, '>', $_ }`, home);
  chmodSync(home, 0);
  await child.empty(ALICE, home);
  expect(readdirSync(home)).toEqual([]);
});

test('removes links without following them, and keeps what the account cannot remove', async () => {
  const others = folder(BOB, join(base, 'bob'), 0o755);
  file(BOB, join(others, 'file'));
  const closed = folder(BOB, join(home, 'of-bob'), 0o755);
  file(BOB, join(closed, 'file'));
  symlinkSync(others, join(home, 'link'));
  linkSync(file(ALICE, join(home, 'one')), join(home, 'two'));
  await child.empty(ALICE, home);
  expect(readdirSync(home)).toEqual(['of-bob']);
  expect(existsSync(join(closed, 'file'))).toBe(true);
  expect(existsSync(join(others, 'file'))).toBe(true);
});

test('removes only the account’s own entries of a shared folder', async () => {
  const shared = folder(BOB, join(base, 'shared'), 0o777);
  folder(ALICE, join(shared, 'own'), 0o777);
  file(ALICE, join(shared, 'own/file'));
  folder(BOB, join(shared, 'others'), 0o777);
  file(BOB, join(shared, 'others/file'));
  file(ALICE, join(shared, 'others/own'));
  file(BOB, join(shared, 'file'));
  await child.removeOwn(ALICE, shared);
  expect(readdirSync(shared).sort()).toEqual(['file', 'others']);
  expect(readdirSync(join(shared, 'others'))).toEqual(['file']);
});

test('removes recursively, and ignores missing paths', async () => {
  folder(ALICE, join(home, 'log'));
  file(ALICE, join(home, 'log/file'));
  file(ALICE, join(home, 'note'));
  await child.remove(
    ALICE,
    ['log', 'note', 'gone'].map((name) => join(home, name)),
  );
  expect(readdirSync(home)).toEqual([]);
});

test('reads the ends of files as the account, without blocking', async () => {
  file(ALICE, join(home, 'long'), `${'x'.repeat(100_000)}the end`);
  file(ALICE, join(home, 'short'), 'all');
  chmodSync(file(0, join(home, 'closed'), 'secret'), 0o600);
  await exec.run('/usr/bin/perl', ['-MPOSIX', '-e', 'mkfifo $ARGV[0], 0666 or die', join(home, 'pipe')]);
  const paths = ['gone', 'pipe', 'closed', 'short', 'long'].map((name) => join(home, name));
  expect(await child.readEnds(ALICE, paths, 7)).toBe('allthe end');
  expect((await child.readEnds(ALICE, [join(home, 'long')], 90_000)).length).toBe(90_000);
});

test('kills all processes of the uid and no others', async () => {
  // No other user on this machine has these uids, not even in a container.
  const [one, other] = [1_987_650_001, 1_987_650_002];
  const sleep = '$| = 1; print "up\\n"; <STDIN>';
  const become = (uid: number) => `use POSIX; POSIX::setuid(${uid}); ${sleep}`;
  const end = await Promise.all(
    [one, other, 0].map((uid) => exec.hold('/usr/bin/perl', ['-e', uid === 0 ? sleep : become(uid)])),
  );
  const living = async () => {
    const code = `for (glob '/proc/[0-9]*/status') { open my $f, '<', $_ or next; my $t = do { local $/; <$f> };
      print "$1 " if $t !~ /^State:\\tZ/m && $t =~ /^Uid:\\t(198765000[12])\\t/m }`;
    return (await exec.run('/usr/bin/perl', ['-e', code])).stdout.trim();
  };
  expect((await living()).split(' ').sort()).toEqual([`${one}`, `${other}`]);
  await child.kill(one);
  await expect.poll(living).toBe(`${other}`);
  await child.kill(one);
  await Promise.all(end.map((release) => release()));
});

test('refuses uids that are not an account’s', async () => {
  for (const uid of [0, 33, 19_999, -1, Number.NaN])
    await expect(child.kill(uid)).rejects.toMatchObject({ reason: 'Refused' });
});
