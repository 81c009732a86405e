import { expect, test } from 'vitest';
import { Changes } from './changes.ts';
import { Exec } from './exec.ts';

const changes = new Changes();
const exec = new Exec(changes);

test('a program gets its arguments as they are, and no environment of the agent’s', async () => {
  process.env.INNKEEPER_SECRET = 'secret';
  const code = 'print join("|", @ARGV, map { "$_=$ENV{$_}" } sort keys %ENV)';
  const { stdout } = await exec.run('/usr/bin/perl', ['-e', code, '--', '$(id)', 'a b', '; reboot']);
  expect(stdout).toBe(
    '$(id)|a b|; reboot|HOME=/|LC_ALL=C|PATH=/usr/sbin:/usr/bin:/sbin:/bin|SYSTEMD_COLORS=0',
  );
});

test('a failure names the program, its exit code and what it said', async () => {
  await expect(exec.run('/usr/bin/perl', ['-e', 'die "no such thing\\n"'])).rejects.toMatchObject({
    reason: 'Failed',
    retryable: true,
    exitCode: 255,
    message: expect.stringContaining('no such thing'),
  });
});

test('a program that hangs is ended', async () => {
  const slow = exec.run('/usr/bin/perl', ['-e', 'sleep 100'], { timeoutMs: 50 });
  await expect(slow).rejects.toThrow('took too long');
});

test('a program that prints without end is ended', async () => {
  const loud = exec.run('/usr/bin/perl', ['-e', 'print "x" x 100000'], { maxOutputBytes: 1_000 });
  await expect(loud).rejects.toThrow('printed too much');
});

test('an exit code that is an answer is no failure', async () => {
  const answer = await exec.run('/usr/bin/perl', ['-e', 'exit 2'], { accept: [0, 2] });
  expect(answer.exitCode).toBe(2);
});

test('what changes the node counts, also when it fails; what reads does not', async () => {
  const before = changes.count;
  await exec.run('/usr/bin/perl', ['-e', '1']);
  await exec.change('/usr/bin/perl', ['-e', '1']);
  await exec.change('/usr/bin/perl', ['-e', 'exit 1']).catch(() => {});
  expect(changes.count - before).toBe(2);
});

test('what is held is held until it is released', async () => {
  const release = await exec.hold('/usr/bin/perl', ['-e', '$|=1; print "held\\n"; <STDIN>']);
  await release();
  await expect(exec.hold('/usr/bin/perl', ['-e', 'die "taken\\n"'])).rejects.toThrow('taken');
});
