import { expect, test } from 'vitest';
import type { Exec, Program, RunOptions } from './exec.ts';
import { createLookAsUsers, type Look } from './look-as-users.ts';

/** A child that says what is missing, and hangs at one home. */
class FakeChild {
  runs = 0;

  run = async (_program: Program, _args: readonly string[], { input = '' }: RunOptions) => {
    this.runs += 1;
    await Promise.resolve();
    const lines = input.split('\n').slice(0, -1);
    if (lines.some((line) => line.includes('/home/hangs'))) throw new Error('took too long');
    const stdout = lines.map((line) => `${['seen', ...missingIn(line)].join('\t')}\n`).join('');
    return { exitCode: 0, stdout, stderr: '' };
  };
}

const missingIn = (line: string) => line.split('\t').filter((field) => field.startsWith('gone'));
const at = (uid: number, ...paths: string[]): Look => ({ uid, home: `/home/user${uid}`, paths });

test('looks that come together share one child, and each gets its own answer', async () => {
  const child = new FakeChild();
  const look = createLookAsUsers(child as unknown as Exec);
  const answers = await Promise.all([
    look(at(20_000, 'logs', 'gone/a')),
    look(at(20_001, 'logs')),
    look(at(20_002, 'gone/b', 'gone/c')),
  ]);
  expect(answers).toEqual([['gone/a'], [], ['gone/b', 'gone/c']]);
  expect(child.runs).toBe(1);
});

test('a home that hangs fails alone', async () => {
  const look = createLookAsUsers(new FakeChild() as unknown as Exec);
  const answers = await Promise.allSettled([
    look(at(20_000, 'gone/a')),
    look({ uid: 20_001, home: '/home/hangs', paths: ['logs'] }),
    look(at(20_002, 'logs')),
  ]);
  expect(answers).toMatchObject([
    { status: 'fulfilled', value: ['gone/a'] },
    { status: 'rejected', reason: { message: 'took too long' } },
    { status: 'fulfilled', value: [] },
  ]);
});
