import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ObservedAccount } from './find-observed.ts';
import { createObservedWaits } from './wait-for-observed.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function waits() {
  const database = new Map<number, ObservedAccount>();
  const looks: (readonly number[])[] = [];
  const state = { fails: false };
  const observe = (id: number, observedGeneration: number, outcome: ObservedAccount['outcome']) =>
    database.set(id, { id, observedGeneration, outcome });
  observe(1, 1, 'applied');
  observe(2, 1, 'applied');
  const warnings: unknown[] = [];
  const created = createObservedWaits({
    findObserved: async (ids) => {
      looks.push(ids);
      if (state.fails) throw new Error('no database');
      return ids.flatMap((id) => database.get(id) ?? []);
    },
    logger: { warn: (line: unknown) => void warnings.push(line) },
  });
  return { ...created, database, looks, observe, state, warnings };
}

const awaited = { accountId: 1, generation: 2, timeoutMs: 10_000 };
const message = { account_id: 1, observed_generation: 2, outcome: 'applied' };

describe('waiting for the node’s report', () => {
  it('it ends as soon as the message of the report arrives', async () => {
    const { waitForObserved, hear, observe } = waits();
    const waiting = waitForObserved(awaited);
    observe(1, 2, 'applied');
    hear(message);
    expect(await waiting).toEqual({ outcome: 'applied' });
  });

  it('without a message it ends by polling, within 500 ms', async () => {
    const { waitForObserved, observe, looks } = waits();
    const waiting = waitForObserved(awaited);
    observe(1, 3, 'applied');
    await vi.advanceTimersByTimeAsync(499);
    expect(looks).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toEqual({ outcome: 'applied' });
  });

  it('it reads the result from the database, not from the message', async () => {
    const { waitForObserved, hear } = waits();
    const waiting = waitForObserved(awaited);
    hear(message);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await waiting).toEqual({ outcome: 'timeout' });
  });

  it('a report that this instance stored ends it without a query, unless the node refused', async () => {
    const { waitForObserved, stored, observe, looks } = waits();
    const waiting = waitForObserved(awaited);
    stored({ ...message, observed_generation: 1 });
    stored({ ...message, outcome: 'progressing' });
    stored(message);
    expect([await waiting, looks]).toEqual([{ outcome: 'applied' }, []]);
    const refused = waitForObserved({ ...awaited, accountId: 2 });
    observe(2, 2, 'failed');
    stored({ account_id: 2, observed_generation: 2, outcome: 'failed' });
    expect([await refused, looks]).toEqual([{ outcome: 'failed' }, [[2]]]);
  });

  it('older generations, other accounts and progress do not end it', async () => {
    const { waitForObserved, hear, observe, looks } = waits();
    const waiting = waitForObserved(awaited);
    hear({ ...message, observed_generation: 1 });
    hear({ ...message, account_id: 2 });
    hear({ ...message, outcome: 'progressing' });
    expect(looks).toEqual([]);
    observe(1, 2, 'progressing');
    await vi.advanceTimersByTimeAsync(9_999);
    observe(1, 2, 'applied');
    hear(message);
    expect(await waiting).toEqual({ outcome: 'applied' });
  });

  it('it returns that a node refused, and that an account is gone', async () => {
    const { waitForObserved, observe, database } = waits();
    const refused = waitForObserved(awaited);
    const gone = waitForObserved({ ...awaited, accountId: 2 });
    observe(1, 2, 'failed');
    database.delete(2);
    await vi.advanceTimersByTimeAsync(500);
    expect(await refused).toEqual({ outcome: 'failed' });
    expect(await gone).toEqual({ outcome: 'absent' });
  });

  it('all waits share one query', async () => {
    const { waitForObserved, observe, looks } = waits();
    const waiting = [1, 1, 2, 2].map((accountId) => waitForObserved({ ...awaited, accountId }));
    observe(1, 2, 'applied');
    observe(2, 2, 'applied');
    await vi.advanceTimersByTimeAsync(500);
    await Promise.all(waiting);
    expect(looks).toEqual([[1, 2]]);
  });

  it('it survives a failure of the database', async () => {
    const { waitForObserved, observe, state, warnings } = waits();
    const waiting = waitForObserved(awaited);
    state.fails = true;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(warnings.length).toBeGreaterThan(0);
    state.fails = false;
    observe(1, 2, 'applied');
    await vi.advanceTimersByTimeAsync(500);
    expect(await waiting).toEqual({ outcome: 'applied' });
  });

  it('it ends with the process, and leaves no timer', async () => {
    const { waitForObserved, stop } = waits();
    const waiting = waitForObserved(awaited);
    stop();
    expect(await waiting).toEqual({ outcome: 'timeout' });
    expect(await waitForObserved(awaited)).toEqual({ outcome: 'timeout' });
    expect(vi.getTimerCount()).toBe(0);
  });
});
