import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Changes } from './changes.ts';
import { Exec } from './exec.ts';
import { runShared, runStep } from './step-signal.ts';

const changes = new Changes();
const exec = new Exec(changes);

test('passes arguments unchanged, and nothing of the agent’s environment', async () => {
  process.env.INNKEEPER_SECRET = 'secret';
  const code = 'print join("|", @ARGV, map { "$_=$ENV{$_}" } sort keys %ENV)';
  const { stdout } = await exec.run('/usr/bin/perl', ['-e', code, '--', '$(id)', 'a b', '; reboot']);
  expect(stdout).toBe(
    '$(id)|a b|; reboot|HOME=/|LC_ALL=C|PATH=/usr/sbin:/usr/bin:/sbin:/bin|SYSTEMD_COLORS=0',
  );
});

test('a failure names the program, its exit code and its errors', async () => {
  await expect(exec.run('/usr/bin/perl', ['-e', 'die "no such thing\\n"'])).rejects.toMatchObject({
    reason: 'Failed',
    retryable: true,
    exitCode: 255,
    message: expect.stringContaining('no such thing'),
  });
});

test('ends a program that hangs', async () => {
  const slow = exec.run('/usr/bin/perl', ['-e', 'sleep 100'], { timeoutMs: 50 });
  await expect(slow).rejects.toThrow('took too long');
});

test('ends a program whose output does not end', async () => {
  const loud = exec.run('/usr/bin/perl', ['-e', 'print "x" x 100000'], { maxOutputBytes: 1_000 });
  await expect(loud).rejects.toThrow('printed too much');
});

test('keeps the output of an ended program if requested', async () => {
  const code = '$| = 1; print "first\\0sec"; sleep 100';
  expect(await exec.attempt('/usr/bin/perl', ['-e', code], { timeoutMs: 500 })).toMatchObject({
    exitCode: undefined,
    stdout: 'first\0sec',
    wasCutOff: true,
  });
  expect(await exec.attempt('/usr/bin/perl', ['-e', 'print "all"; exit 3'])).toEqual({
    exitCode: 3,
    stdout: 'all',
    stderr: '',
    wasCutOff: false,
  });
});

test('an accepted exit code is not a failure', async () => {
  const answer = await exec.run('/usr/bin/perl', ['-e', 'exit 2'], { accept: [0, 2] });
  expect(answer.exitCode).toBe(2);
});

test('counts programs that change the node, also failed ones, and no readers', async () => {
  const before = changes.count;
  await exec.run('/usr/bin/perl', ['-e', '1']);
  await exec.change('/usr/bin/perl', ['-e', '1']);
  await exec.change('/usr/bin/perl', ['-e', 'exit 1']).catch(() => {});
  expect(changes.count - before).toBe(2);
});

test('holds a resource until it is released', async () => {
  const release = await exec.hold('/usr/bin/perl', ['-e', '$|=1; print "held\\n"; <STDIN>']);
  await release();
  await expect(exec.hold('/usr/bin/perl', ['-e', 'die "taken\\n"'])).rejects.toThrow('taken');
});

test('transfers large inputs and outputs of many programs concurrently', async () => {
  const input = 'äöü 0123456789\n'.repeat(70_000);
  const cats = Array.from({ length: 20 }, () =>
    exec.run('/usr/bin/perl', ['-pe', '1'], { input, timeoutMs: 60_000 }),
  );
  for (const { stdout } of await Promise.all(cats)) expect(stdout === input).toBe(true);
});

test('a program that ignores its input is not a failure', async () => {
  const { exitCode } = await exec.run('/usr/bin/perl', ['-e', '1'], { input: 'x'.repeat(1_000_000) });
  expect(exitCode).toBe(0);
});

test('concurrent programs do not share input or output', async () => {
  const code =
    'opendir my $d, "/proc/self/fd"; print join ",", sort grep { /^\\d/ } readdir $d; select undef, undef, undef, 0.3';
  const list = () => exec.run('/usr/bin/perl', ['-e', code], { input: '' });
  const alone = await list();
  for (const { stdout } of await Promise.all(Array.from({ length: 5 }, list)))
    expect(stdout).toBe(alone.stdout);
});

test('a program starts with default signal handlers', async () => {
  // Perl ignores SIGFPE; setpriv becomes cat and leaves signals as they are.
  const { stdout } = await exec.run('/usr/bin/setpriv', ['--', '/usr/bin/cat', '/proc/self/status']);
  expect(/^SigIgn:\s*(\w+)/m.exec(stdout)?.[1]).toBe('0000000000000000');
  expect(/^SigBlk:\s*(\w+)/m.exec(stdout)?.[1]).toBe('0000000000000000');
});

test('ends a program that hangs although a descendant holds its output', async () => {
  const code = 'fork or do { $SIG{TERM} = "IGNORE"; sleep 5; exit }; sleep 100';
  const slow = exec.run('/usr/bin/perl', ['-e', code], { timeoutMs: 50 });
  const startedAt = performance.now();
  await expect(slow).rejects.toThrow('took too long');
  expect(performance.now() - startedAt).toBeLessThan(4_000);
});

test('kills a program that ignores SIGTERM', async () => {
  const deaf = exec.run('/usr/bin/perl', ['-e', '$SIG{TERM} = "IGNORE"; sleep 100'], { timeoutMs: 200 });
  await expect(deaf).rejects.toThrow('took too long');
});

test('ends an aborted program, and never starts one aborted before', async () => {
  const abort = new AbortController();
  const slow = exec.run('/usr/bin/perl', ['-e', 'sleep 100'], { signal: abort.signal });
  abort.abort();
  await expect(slow).rejects.toMatchObject({ exitCode: undefined });
  await expect(exec.run('/usr/bin/perl', ['-e', '1'], { signal: abort.signal })).rejects.toThrow();
});

test('kills a program at once when its step is aborted, also one that ignores SIGTERM', async () => {
  const ending = new AbortController();
  const deaf = runStep(ending.signal, () =>
    exec.run('/usr/bin/perl', ['-e', '$SIG{TERM} = "IGNORE"; kill "STOP", $$; sleep 100']),
  );
  const shared = runStep(ending.signal, () => runShared(() => exec.run('/usr/bin/perl', ['-e', 'print 1'])));
  setTimeout(() => ending.abort(), 100);
  await expect(deaf).rejects.toMatchObject({
    exitCode: undefined,
    message: expect.stringContaining('SIGKILL'),
  });
  expect((await shared).stdout).toBe('1');
  await expect(runStep(ending.signal, () => exec.run('/usr/bin/perl', ['-e', '1']))).rejects.toThrow();
});

test('reports why a program cannot be started', async () => {
  const missing = exec.run('/opt/innkeeper/node/none/bin/npm', []);
  await expect(missing).rejects.toThrow('cannot start /opt/innkeeper/node/none/bin/npm: No such file');
});

// A handler that Perl runs between any two instructions ended the launcher in three of four such runs.
test('the launcher outlives the ends of 300 programs, and reports each', async () => {
  const own = new Exec(new Changes());
  const parent = 'print getppid';
  const launcher = (await own.run('/usr/bin/perl', ['-e', parent])).stdout;
  for (let round = 0; round < 15; round += 1) {
    const numbers = Array.from({ length: 20 }, (_, at) => `${round * 20 + at}`);
    const code = 'print $ARGV[0] x 1_000';
    const said = await Promise.all(numbers.map((number) => own.run('/usr/bin/perl', ['-e', code, number])));
    expect(said.map(({ stdout }) => stdout)).toEqual(numbers.map((number) => number.repeat(1_000)));
  }
  expect((await own.run('/usr/bin/perl', ['-e', parent])).stdout).toBe(launcher);
});

test('starts programs after the launcher was killed; running ones fail', async () => {
  const other = new Exec(changes);
  const pid = 'open my $s, "<", "/proc/self/stat"; print +(split " ", <$s>)[3]';
  const starter = Number((await other.run('/usr/bin/perl', ['-e', pid])).stdout);
  const slow = other.run('/usr/bin/perl', ['-e', 'sleep 2']);
  process.kill(starter, 'SIGKILL');
  await expect(slow).rejects.toThrow('an error at its start');
  const next = Number((await other.run('/usr/bin/perl', ['-e', pid])).stdout);
  expect(next).not.toBe(starter);
});

test('releases a held resource when the launcher is killed', async () => {
  const other = new Exec(changes);
  const parent = 'open my $s, "<", "/proc/self/stat"; print +(split " ", <$s>)[3]';
  const starter = Number((await other.run('/usr/bin/perl', ['-e', parent])).stdout);
  const lock = join(mkdtempSync(join(tmpdir(), 'hold-')), 'ended');
  await other.hold('/usr/bin/perl', [
    '-e',
    '$|=1; print "held\\n"; <STDIN>; open my $f, ">", $ARGV[0]',
    lock,
  ]);
  process.kill(starter, 'SIGKILL');
  await expect.poll(() => existsSync(lock)).toBe(true);
});

test.each([
  ['/usr/bin/find', ['/tmp/none', '-delete']],
  ['/usr/bin/find', ['/tmp/none', '-type', 'd', '-exec', '/usr/bin/chmod', '700', '{}', ';']],
] as const)('root is refused to run %s %j', async (program, args) => {
  await expect(exec.change(program, args)).rejects.toMatchObject({ reason: 'Refused' });
});
