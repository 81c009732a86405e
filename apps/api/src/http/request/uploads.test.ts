import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUploads } from './uploads.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'innkeeper-uploads-'));
});
afterEach(() => {
  vi.useRealTimers();
  expect(readdirSync(dir)).toEqual([]);
  rmSync(dir, { recursive: true });
});

const uploads = (more: object = {}) =>
  createUploads({ dir, maxBytes: 100_000, timeoutMs: 60_000, atOnce: 2, minBytesPerSecond: 0, ...more });
const head = 'Content-Disposition: form-data; name="archive"; filename="a.zip"';
const archive = { field: 'archive', accountId: 1 };
const formOf = (content: Uint8Array, boundary = 'edge') =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);

/** A form that arrives in chunks; it never ends when `isLost`. */
function incoming(
  pieces: Iterable<Uint8Array>,
  { isLost = false, length = undefined as string | undefined } = {},
) {
  const left = pieces[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      // Behaves like a network: timers can run between chunks.
      await new Promise((resolve) => setImmediate(resolve));
      const { done, value } = left.next();
      if (done !== true) controller.enqueue(value);
      else if (!isLost) controller.close();
      else await new Promise(() => {});
    },
  });
  return { contentType: 'multipart/form-data; boundary=edge', contentLength: length, body };
}

describe('a file', () => {
  it('it arrives unchanged, in any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2_000 }),
        fc.integer({ min: 1, max: 300 }),
        async (content, step) => {
          const form = formOf(content);
          const pieces = Array.from({ length: Math.ceil(form.length / step) }, (_, n) =>
            form.subarray(n * step, (n + 1) * step),
          );
          await using file = await uploads().receive(incoming(pieces), archive);
          const read = Buffer.alloc(content.length);
          await file.read(read, 0);
          expect(read.equals(content)).toBe(true);
          expect(file).toMatchObject({
            bytes: content.length,
            sha256: createHash('sha256').update(content).digest('hex'),
          });
        },
      ),
      { numRuns: 50 },
    );
  });

  it('it is read from any offset, and not beyond its end', async () => {
    await using file = await uploads().receive(incoming([formOf(Buffer.from('0123456789'))]), archive);
    const three = Buffer.alloc(3);
    await file.read(three, 4);
    expect(three.toString()).toBe('456');
    await expect(file.read(three, 8)).rejects.toThrow('ends too early');
  });

  it('it is unlinked while it is in use', async () => {
    await using file = await uploads().receive(incoming([formOf(randomBytes(1_000))]), archive);
    expect(file.bytes).toBe(1_000);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('it may be as large as the limit, and not larger', async () => {
    await using file = await uploads().receive(incoming([formOf(randomBytes(100_000))]), archive);
    expect(file.bytes).toBe(100_000);
    await expect(uploads().receive(incoming([formOf(randomBytes(100_001))]), archive)).rejects.toMatchObject({
      status: 413,
    });
    const said = incoming([formOf(Buffer.alloc(1))], { length: '5000000' });
    await expect(uploads().receive(said, archive)).rejects.toMatchObject({ status: 413 });
  });

  it('the reader stops when it is too large', async () => {
    let pieces = 0;
    const endless = (function* () {
      yield formOf(Buffer.alloc(0)).subarray(0, -12);
      for (;;) {
        pieces += 1;
        yield Buffer.alloc(10_000, 'x');
      }
    })();
    await expect(uploads().receive(incoming(endless), archive)).rejects.toMatchObject({ status: 413 });
    // What was read ahead before the refusal depends on how busy the machine is.
    expect(pieces).toBeLessThan(2_000);
  });
});

describe('a form', () => {
  it('a form with endless other parts is too large', async () => {
    const other = Buffer.from(
      `--edge\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\n${'x'.repeat(50_000)}\r\n`,
    );
    const endless = (function* () {
      for (;;) yield other;
    })();
    await expect(uploads().receive(incoming(endless), archive)).rejects.toMatchObject({ status: 413 });
  });

  const refused = { code: 'invalid', fields: { archive: ['The archive failed to upload.'] } };

  it.each([10, 60, 100, 1_060])('a form that ends after %i bytes is refused', async (bytes) => {
    const form = formOf(randomBytes(1_000));
    await expect(uploads().receive(incoming([form.subarray(0, bytes)]), archive)).rejects.toMatchObject(
      refused,
    );
  });

  it('a form that stops arriving times out after 30 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const lost = uploads().receive(
      incoming([formOf(randomBytes(50)).subarray(0, 80)], { isLost: true }),
      archive,
    );
    let isOver = false;
    const settled = expect(lost)
      .rejects.toMatchObject(refused)
      .finally(() => {
        isOver = true;
      });
    while (!isOver) {
      await vi.advanceTimersByTimeAsync(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await settled;
  });

  it('a form that takes too long times out, even if it keeps arriving', async () => {
    const endless = (function* () {
      yield formOf(Buffer.alloc(0)).subarray(0, -12);
      for (;;) yield Buffer.from('x');
    })();
    const slow = uploads({ timeoutMs: 50, maxBytes: 1e12 }).receive(incoming(endless), archive);
    await expect(slow).rejects.toMatchObject(refused);
  });

  it('any form is accepted or refused', async () => {
    const bytes = fc.array(
      fc.constantFrom('--edge', '\r\n', '--', head, '\r\n\r\n', 'x', '\0', ';', '"', '='),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (parts) => {
        const outcome = await uploads()
          .receive(incoming([Buffer.from(parts.join(''))]), archive)
          .then(async (file) => {
            await file[Symbol.asyncDispose]();
            return 'taken';
          })
          .catch((error) => error.code);
        expect(['taken', 'invalid']).toContain(outcome);
      }),
      { numRuns: 200, examples: [[['--edge', '--', '\r\n', '--edge', '\r\n\r\n', 'x']]] },
    );
  });
});

it('the number of concurrent uploads is limited; a finished upload makes room for the next one', async () => {
  const taking = uploads();
  const receive = (accountId: number) =>
    taking.receive(incoming([formOf(Buffer.from('x'))]), { field: 'archive', accountId });
  const [one, two] = [await receive(1), await receive(2)];
  await expect(receive(3)).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '10' } });
  await one[Symbol.asyncDispose]();
  const lost = taking.receive(incoming([Buffer.from('x')]), { field: 'archive', accountId: 1 });
  await expect(lost).rejects.toMatchObject({ code: 'invalid' });
  const three = await receive(3);
  await two[Symbol.asyncDispose]();
  await three[Symbol.asyncDispose]();
});

it('an account has one upload at a time', async () => {
  const taking = uploads();
  const receive = () => taking.receive(incoming([formOf(Buffer.from('x'))]), archive);
  const first = await receive();
  await expect(receive()).rejects.toMatchObject({
    status: 429,
    message: 'Another upload of this account is under way. Try again when it is done.',
    headers: { 'Retry-After': '10' },
  });
  await first[Symbol.asyncDispose]();
  await (await receive())[Symbol.asyncDispose]();
});

/** A form whose bytes arrive at a steady rate, on a fake clock that advances while the reader waits. */
function steady(bytesPerSecond: number, seconds: number) {
  const form = formOf(randomBytes(bytesPerSecond * seconds));
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        await vi.advanceTimersByTimeAsync(1_000);
        controller.enqueue(form.subarray(sent, sent + bytesPerSecond));
        sent += bytesPerSecond;
        if (sent >= form.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const incoming = { contentType: 'multipart/form-data; boundary=edge', contentLength: undefined, body };
  return { incoming, sentBytes: () => sent };
}

it('an upload below the minimum rate times out after 10 s, one at the minimum rate does not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const taking = uploads({ minBytesPerSecond: 1_000, timeoutMs: 600_000 });
  const trickle = steady(100, 600);
  const refused = taking.receive(trickle.incoming, archive);
  await expect(refused).rejects.toMatchObject({
    code: 'invalid',
    fields: { archive: ['The archive failed to upload.'] },
  });
  expect(trickle.sentBytes(), 'some 11 seconds of it').toBeLessThan(2_000);

  const taken = taking.receive(steady(1_000, 60).incoming, archive);
  await using file = await taken;
  expect(file.bytes).toBe(60_000);
});

it('a missing folder is an unexpected error, not a refusal', async () => {
  const nowhere = createUploads({
    dir: '/nonexistent',
    maxBytes: 1,
    timeoutMs: 1_000,
    atOnce: 1,
    minBytesPerSecond: 0,
  });
  await expect(nowhere.receive(incoming([formOf(Buffer.from('x'))]), archive)).rejects.toMatchObject({
    code: 'ENOENT',
  });
});
