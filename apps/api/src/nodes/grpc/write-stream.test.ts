import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { writeStream } from './write-stream.ts';

/** The other end of a call. It reads when the test says so. */
class SlowCall extends EventEmitter {
  cancelled = false;
  readonly written: number[] = [];
  room = 2;

  write(chunk: number): boolean {
    this.written.push(chunk);
    this.room -= 1;
    return this.room > 0;
  }

  read(pieces: number): void {
    this.room += pieces;
    this.emit('drain');
  }

  cancel(): void {
    this.cancelled = true;
    this.emit('cancelled', 'cancelled');
  }
}

function source() {
  const made: number[] = [];
  let closed = false;
  const chunks = (async function* () {
    try {
      for (let piece = 0; piece < 6; piece++) {
        made.push(piece);
        yield piece;
      }
    } finally {
      closed = true;
    }
  })();
  return { chunks, made, isClosed: () => closed };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const never = new AbortController().signal;
const asCall = (call: SlowCall) => call as unknown as Parameters<typeof writeStream<number>>[0];

it('it makes the next chunk only when there is room for it', async () => {
  const call = new SlowCall();
  const { chunks, made } = source();
  const done = writeStream(asCall(call), chunks, never);
  await turn();
  expect([call.written, made]).toEqual([
    [0, 1],
    [0, 1],
  ]);
  call.read(3);
  await turn();
  expect([call.written.length, made.length]).toEqual([5, 5]);
  call.read(100);
  await done;
  expect(call.written).toEqual([0, 1, 2, 3, 4, 5]);
  expect(call.listenerCount('cancelled')).toBe(0);
});

it('it ends and closes its source when the reader disconnects', async () => {
  const call = new SlowCall();
  const { chunks, isClosed } = source();
  const done = writeStream(asCall(call), chunks, never);
  await turn();
  call.cancel();
  await expect(done).rejects.toMatchObject({ code: 'unavailable' });
  expect([isClosed(), call.written.length, call.listenerCount('drain')]).toEqual([true, 2, 0]);
});

it('it ends at its deadline even if the reader reads nothing', async () => {
  const call = new SlowCall();
  const { chunks, isClosed } = source();
  const over = new AbortController();
  const done = writeStream(asCall(call), chunks, over.signal);
  await turn();
  over.abort();
  await expect(done).rejects.toMatchObject({ code: 'unavailable' });
  expect(isClosed()).toBe(true);
});

it('it throws the error of its source', async () => {
  const failing = (async function* (): AsyncGenerator<number> {
    yield 1;
    throw new Error('The database is gone.');
  })();
  await expect(writeStream(asCall(new SlowCall()), failing, never)).rejects.toThrow('The database is gone.');
});
