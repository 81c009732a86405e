import { once } from 'node:events';
import { join } from 'node:path';
import { waitUntil } from '@innkeeper/testkit';
import { afterEach, expect, it } from 'vitest';
import type { AccountProgram, AccountPrograms } from '../../node/account-programs.ts';
import { Changes } from '../../node/changes.ts';
import { Exec } from '../../node/exec.ts';
import { FakeClock } from '../../node/fake-clock.ts';
import { ownerNamed } from '../../node/owner.ts';
import type { OpenTerminal } from './host.ts';
import { KEPT_MS, SESSIONS_PER_ACCOUNT, TerminalSessions } from './terminals.ts';

const PROGRAM = join(import.meta.dirname, 'terminal.pl');
const owner = ownerNamed('alice', 20_001);
const size = { columns: 80, rows: 24 };
const name = (number: number) => number.toString(16).padStart(32, '0');

const exec = new Exec(new Changes());
const running = new Set<AccountProgram>();
afterEach(async () => {
  for (const program of running) await program.kill();
  await waitUntil('all programs to end', () => running.size === 0);
});

/** Runs the real program, as the user of the test. */
const programs: Pick<AccountPrograms, 'start'> = {
  start: (_, [, , ...args]) => {
    const end = new AbortController();
    const { input, output, ended } = exec.converse('/usr/bin/perl', [PROGRAM, ...args], end.signal);
    const started: AccountProgram = {
      input,
      output,
      ended: ended.then(() => {
        running.delete(started);
        return { failure: undefined };
      }),
      kill: async () => end.abort(),
    };
    running.add(started);
    return started;
  },
};

async function open(
  sessions: TerminalSessions,
  session: string,
): Promise<{ terminal: OpenTerminal; text(): string }> {
  const terminal = await sessions.open(owner, { session, ...size });
  if (terminal === undefined) throw new Error('There are too many sessions.');
  let text = '';
  terminal.output.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  return { terminal, text: () => text };
}

it('has the newest output for whoever comes back, and a new size', async () => {
  const sessions = new TerminalSessions(programs, new FakeClock());
  const first = await open(sessions, name(1));
  first.terminal.input.write('echo "a$((1+1))c"\n');
  await waitUntil('the answer', () => first.text().includes('a2c'));
  await first.terminal.release();
  const second = await open(sessions, name(1));
  await waitUntil('the answer again', () => second.text().includes('a2c'));
  second.terminal.resize({ columns: 132, rows: 43 });
  second.terminal.input.write('stty size\n');
  await waitUntil('the size', () => second.text().includes('43 132'));
});

it('drops what nobody looks at, and keeps the newest', async () => {
  const sessions = new TerminalSessions(programs, new FakeClock());
  const first = await open(sessions, name(2));
  first.terminal.input.write('sleep 0.3; seq 1 300000; echo over"here"\n');
  await waitUntil('the prompt', () => first.text().includes('sleep'));
  await first.terminal.release();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const second = await open(sessions, name(2));
  await waitUntil('the end', () => second.text().includes('overhere'));
  expect(second.text()).toContain('299999');
  expect(second.text()).not.toContain('\r\n1000\r\n');
});

it('ends for whoever looked when somebody else takes the session over', async () => {
  const sessions = new TerminalSessions(programs, new FakeClock());
  const first = await open(sessions, name(3));
  const ended = once(first.terminal.output, 'end');
  const second = await open(sessions, name(3));
  await ended;
  await first.terminal.release();
  second.terminal.input.write('echo "x$((4+4))y"\n');
  await waitUntil('the answer', () => second.text().includes('x8y'));
});

it('waits for ten minutes, then ends', async () => {
  const clock = new FakeClock();
  const sessions = new TerminalSessions(programs, clock);
  const first = await open(sessions, name(4));
  await first.terminal.release();
  clock.advance(KEPT_MS - 1);
  expect(running.size).toBe(1);
  clock.advance(1);
  await waitUntil('the end', () => running.size === 0);
});

it('ends when its tab is closed, and with exit', async () => {
  const sessions = new TerminalSessions(programs, new FakeClock());
  const closed = await open(sessions, name(5));
  closed.terminal.input.end();
  await once(closed.terminal.output, 'end');
  const left = await open(sessions, name(6));
  left.terminal.input.write('exit\n');
  await once(left.terminal.output, 'end');
  await waitUntil('the program to end', () => running.size === 0);
});

it('has a limit for each account', async () => {
  const sessions = new TerminalSessions(programs, new FakeClock());
  for (let at = 0; at < SESSIONS_PER_ACCOUNT; at += 1) await open(sessions, name(100 + at));
  expect(await sessions.open(owner, { session: name(200), ...size })).toBeUndefined();
  await open(sessions, name(100));
  await sessions.endAll(owner);
  await waitUntil('all to end', () => running.size === 0);
  await open(sessions, name(200));
});
