import {
  chmodSync,
  lchownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Changes } from './changes.ts';
import { Exec } from './exec.ts';
import { HostError } from './host-error.ts';
import { createObserveAsUsers } from './observe-as-users.ts';

const ALICE = 20_001;
const BOB = 20_002;
let base: string;

/** Exceeds the timeout whenever dora’s home is observed. */
class SlowAtDoras extends Exec {
  runs = 0;

  override async run(...[program, args, options]: Parameters<Exec['run']>): ReturnType<Exec['run']> {
    this.runs += 1;
    if (options?.input?.includes('/dora') === true) throw new HostError('Failed', 'took too long');
    return await super.run(program, args, options);
  }
}

const exec = new SlowAtDoras(new Changes());
const observe = createObserveAsUsers(exec);
const homeOf = (name: string) => join(base, name);
const asAlice = (paths: string[]) => observe({ uid: ALICE, home: homeOf('alice'), paths, reads: true });

function own(uid: number, path: string): string {
  lchownSync(path, uid, uid);
  return path;
}

function makeHome(name: string, uid: number): string {
  mkdirSync(homeOf(name), { mode: 0o700 });
  return own(uid, homeOf(name));
}

function makeFile(uid: number, path: string, text: string, mode = 0o600): string {
  writeFileSync(path, text, { mode });
  return own(uid, path);
}

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'observe-'));
  chmodSync(base, 0o755);
  const alice = makeHome('alice', ALICE);
  const bob = makeHome('bob', BOB);
  makeFile(BOB, join(bob, 'secret'), 'of bob');
  makeFile(0, join(base, 'roots'), 'of root');
  makeFile(ALICE, join(alice, 'note'), 'äöü\t"\n');
  makeFile(ALICE, join(alice, 'empty'), '');
  makeFile(ALICE, join(alice, 'full'), 'x'.repeat(4_096));
  makeFile(ALICE, join(alice, 'large'), 'x'.repeat(4_097));
  makeFile(0, join(alice, 'closed'), 'of root');
  mkdirSync(join(alice, 'folder'));
  own(ALICE, join(alice, 'folder'));
  const pipe = 'use POSIX; mkfifo $ARGV[0], 0600 or die';
  await exec.run('/usr/bin/perl', ['-e', pipe, join(alice, 'pipe')]);
  own(ALICE, join(alice, 'pipe'));
  const links = {
    'to-folder': 'folder',
    'to-note': 'note',
    'to-nothing': 'not\there\n',
    'to-itself': 'to-itself',
    far: `${'./'.repeat(500)}note`,
    'to-bob': '../bob',
    'to-secret': '../bob/secret',
    'to-root': '/root',
  };
  for (const [name, target] of Object.entries(links)) {
    symlinkSync(target, join(alice, name));
    own(ALICE, join(alice, name));
  }
  linkSync(join(base, 'roots'), join(alice, 'linked'));
});

afterAll(() => rmSync(base, { recursive: true }));

test('reports the entry at a path, and reads a small file', async () => {
  const seen = await asAlice(['note', 'empty', 'full', 'large', 'folder', 'to-folder', 'to-nothing', 'gone']);
  const file = { kind: 'file', target: '', leadsToFolder: false };
  expect(Object.fromEntries(seen)).toEqual({
    note: { ...file, text: 'äöü\t"\n' },
    empty: { ...file, text: '' },
    full: { ...file, text: 'x'.repeat(4_096) },
    large: { ...file, text: undefined },
    folder: { kind: 'folder', target: '', leadsToFolder: false, text: undefined },
    'to-folder': { kind: 'link', target: 'folder', leadsToFolder: true, text: undefined },
    'to-nothing': { kind: 'link', target: 'not\there\n', leadsToFolder: false, text: undefined },
  });
});

test('does not follow a link to a file, and hides a very long target', async () => {
  const seen = await asAlice(['to-note', 'to-itself', 'far']);
  expect([...seen.values()].map(({ text, leadsToFolder }) => [text, leadsToFolder])).toEqual(
    Array(3).fill([undefined, false]),
  );
  expect(seen.get('far')?.target).toBe('');
});

test('follows links only where the account can go, and reads nothing closed to it', async () => {
  const seen = await asAlice(['to-bob', 'to-bob/secret', 'to-root', 'to-root/.bashrc', 'to-secret']);
  expect([...seen.keys()]).toEqual(['to-bob', 'to-root', 'to-secret']);
  for (const { text } of seen.values()) expect(text).toBeUndefined();
  for (const { text } of (await asAlice(['closed', 'linked'])).values()) expect(text).toBeUndefined();
});

test('blocks neither on a pipe nor on a file lease', async () => {
  const lease =
    '$SIG{IO} = "IGNORE"; $| = 1; open my $f, "+<", $ARGV[0]; fcntl $f, 1024, 1 or die; print "held\n"; <STDIN>';
  const release = await exec.hold('/usr/bin/perl', ['-e', lease, join(homeOf('alice'), 'empty')]);
  const seen = await asAlice(['pipe', 'empty', 'note']);
  await release();
  expect([...seen].map(([, { kind, text }]) => [kind, text])).toEqual([
    ['other', undefined],
    ['file', undefined],
    ['file', 'äöü\t"\n'],
  ]);
});

test('reads nothing that was not requested', async () => {
  const seen = await observe({ uid: ALICE, home: homeOf('alice'), paths: ['note'] });
  expect(seen.get('note')).toMatchObject({ kind: 'file', text: undefined });
});

test('concurrent observations share one child, each as its own account', async () => {
  const before = exec.runs;
  const answers = await Promise.all([
    observe({ uid: BOB, home: homeOf('bob'), paths: ['secret', 'gone'], reads: true }),
    asAlice(['to-secret', 'note']),
    observe({ uid: ALICE, home: homeOf('bob'), paths: ['secret'], reads: true }),
    observe({ uid: BOB, home: homeOf('alice'), paths: ['note', 'folder'] }),
  ]);
  expect(exec.runs - before).toBe(1);
  expect(answers.map((seen) => [...seen].map(([path, { text }]) => [path, text]))).toEqual([
    [['secret', 'of bob']],
    [
      ['to-secret', undefined],
      ['note', 'äöü\t"\n'],
    ],
    [],
    [],
  ]);
});

test('only the home that hangs fails', async () => {
  const answers = await Promise.allSettled([
    asAlice(['note']),
    observe({ uid: 20_004, home: homeOf('dora'), paths: ['logs'] }),
    observe({ uid: BOB, home: homeOf('bob'), paths: ['gone'] }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(answers[1]).toMatchObject({ reason: { message: 'took too long' } });
});

test('refuses a path that the agent does not build', async () => {
  for (const path of ['../bob', '/etc/shadow', 'a\tb', 'a\nb', '-x', ''])
    await expect(asAlice([path])).rejects.toMatchObject({ reason: 'Refused' });
});
