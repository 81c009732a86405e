import { appLogAnswerSchema } from '@innkeeper/protocol';
import { expect, test } from 'vitest';
import { nodeApp, specOf } from '../../../../test/specs.ts';
import type { LedgerEntry } from '../../../ledger/ledger-entry.ts';
import { answerAppLog } from './app-log.ts';

const spec = specOf({ apps: [nodeApp(7)] });

async function answer(log: string, lines: number, ids = { account_id: 1, app_id: 7 }, state = spec) {
  const asked: number[] = [];
  const read = async (_: unknown, appId: number, bytes: number) => {
    asked.push(appId);
    return log.slice(-bytes);
  };
  const ledger = { find: (id: number) => (id === 1 ? ({ spec: state } as LedgerEntry) : undefined) };
  const said = await answerAppLog({ ...ids, lines }, { ledger, read });
  expect(appLogAnswerSchema.safeParse(said).error).toBeUndefined();
  return { lines: said.lines, asked };
}

test('returns the requested number of newest lines', async () => {
  expect((await answer('one\ntwo\n\nthree\n', 3)).lines).toEqual(['two', '', 'three']);
  expect((await answer('one\ntwo', 1_000)).lines).toEqual(['one', 'two']);
  expect((await answer('', 10)).lines).toEqual([]);
});

test('limits the size of the answer and removes terminal control characters', async () => {
  const { lines } = await answer(`${'x'.repeat(300_000)}\n\u001b[2Jred\u0007\t\u0000é\n`, 1_000);
  expect(lines).toEqual(['x'.repeat(4_000), '[2Jred\té']);
  const many = await answer('line\n'.repeat(100_000), 1_000);
  expect(many.lines).toHaveLength(1_000);
});

test('reads nothing for an unknown app or account', async () => {
  expect(await answer('secret\n', 10, { account_id: 1, app_id: 8 })).toEqual({ lines: [], asked: [] });
  expect(await answer('secret\n', 10, { account_id: 2, app_id: 7 })).toEqual({ lines: [], asked: [] });
  const gone = { ...spec, desired_state: 'absent' as const };
  expect(await answer('secret\n', 10, { account_id: 1, app_id: 7 }, gone)).toEqual({ lines: [], asked: [] });
});
