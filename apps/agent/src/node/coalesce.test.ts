import { expect, test } from 'vitest';
import { coalesce } from './coalesce.ts';
import { runStep, stepSignal } from './step-signal.ts';

test('an aborted request leaves the queue; one in a running batch waits for it', async () => {
  const batches: string[][] = [];
  let endBatch = () => {};
  const ask = coalesce<string, string>(async (requests) => {
    expect(stepSignal()).toBeUndefined();
    batches.push(requests.map(({ input }) => input));
    await new Promise<void>((resolve) => {
      endBatch = resolve;
    });
    for (const { input, resolve } of requests) resolve(input);
  });
  const ending = new AbortController();
  const begun = runStep(ending.signal, () => ask('begun'));
  await expect.poll(() => batches).toEqual([['begun']]);
  const waiting = runStep(ending.signal, () => ask('waiting'));
  const other = ask('other');
  ending.abort();
  await expect(waiting).rejects.toThrow('aborted');
  endBatch();
  expect(await begun).toBe('begun');
  await expect.poll(() => batches).toEqual([['begun'], ['other']]);
  endBatch();
  expect(await other).toBe('other');
  await expect(runStep(ending.signal, () => ask('late'))).rejects.toThrow('aborted');
});
