import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Duplex, duplexPair, PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ChannelAgent, FilesClient } from '@innkeeper/panel';
import { waitUntil } from '@innkeeper/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FilePrograms } from './files-program.ts';

const MIB = 1024 * 1024;
let programs: FilePrograms;
let agent: ChannelAgent;
let client: FilesClient;
beforeEach(() => {
  programs = new FilePrograms();
  agent = new ChannelAgent();
  client = new FilesClient({ agent, session: 'one', openChannel: programs.openChannel });
});
afterEach(async () => {
  agent.destroy();
  await programs[Symbol.asyncDispose]();
});

const at = (path: string) => join(programs.home, path);
const id = () => randomBytes(16).toString('hex');

describe('channels', () => {
  it('are kept for the next request, and end when they are idle', async () => {
    agent.destroy();
    agent = new ChannelAgent({ idleMs: 300 });
    client = new FilesClient({ agent, session: 'one', openChannel: programs.openChannel });
    for (let n = 0; n < 5; n += 1) await client.list('');
    expect([programs.started, programs.running.size]).toEqual([1, 1]);
    await waitUntil('the idle program ends', () => programs.running.size === 0);
    await client.list('');
    expect(programs.started).toBe(2);
  });

  it('belong to one session, and have a maximum', async () => {
    agent.destroy();
    agent = new ChannelAgent({ mostChannels: 2 });
    const of = (session: string) => new FilesClient({ agent, session, openChannel: programs.openChannel });
    await Promise.all([1, 2, 3, 4, 5].map(() => of('one').list('')));
    expect(programs.started).toBe(2);
    await of('two').list('');
    expect(programs.started).toBe(3);
    const large = at('large.bin');
    writeFileSync(large, randomBytes(16 * MIB));
    const waiting = await Promise.all([of('one').open('large.bin'), of('one').open('large.bin')]);
    const busy = new FilesClient({
      agent,
      session: 'one',
      openChannel: programs.openChannel,
      answerTimeoutMs: 300,
    });
    await expect(busy.list('')).rejects.toMatchObject({ code: 'too_many' });
    const next = of('one').list('');
    for (const { content } of waiting) content.destroy();
    expect((await next).total).toBe(1);
  });

  it('that ended unnoticed are replaced, for what only reads', async () => {
    for (let n = 0; n < 3; n += 1) {
      await client.list('');
      for (const child of programs.running) child.kill('SIGKILL');
      expect((await client.list('')).path).toBe('');
    }
  });

  it('that cannot be opened give their own error', async () => {
    const refusal = new Error('The account is suspended.');
    client = new FilesClient({ agent, session: 'one', openChannel: () => Promise.reject(refusal) });
    await expect(client.list('')).rejects.toBe(refusal);
  });
});

describe('content', () => {
  it('is sent and received unchanged, in parts of an upload and as a range', async () => {
    const bytes = randomBytes(20 * MIB + 12_345);
    const upload = id();
    const size = bytes.length;
    const half = 9 * MIB;
    expect(
      await client.appendUpload(
        upload,
        { offset: 0, size },
        Readable.from([bytes.subarray(0, half)], { objectMode: false }),
      ),
    ).toBe(half);
    await expect(client.appendUpload(upload, { offset: 0, size }, Buffer.from('x'))).rejects.toMatchObject({
      code: 'offset',
      offset: half,
    });
    expect(await client.uploadOffset(upload)).toBe(half);
    await client.appendUpload(upload, { offset: half, size }, bytes.subarray(half));
    const { etag } = await client.finishUpload(upload, 'large.bin', { size, replaces: false });
    const file = await client.open('large.bin');
    expect([file.status, file.length, file.etag]).toEqual([200, size, etag]);
    const hash = createHash('sha256');
    await pipeline(file.content, hash);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
    const range = await client.open('large.bin', { range: `bytes=${half}-${half + 9}` });
    expect([range.status, range.contentRange]).toEqual([206, `bytes ${half}-${half + 9}/${size}`]);
    expect(Buffer.concat(await range.content.toArray())).toEqual(bytes.subarray(half, half + 10));
    expect((await client.open('large.bin', { range: `bytes=${size}-` })).status).toBe(416);
  });

  it('waits for a slow reader, in both directions', async () => {
    writeFileSync(at('large.bin'), randomBytes(64 * MIB));
    const file = await client.open('large.bin');
    const before = process.memoryUsage().rss;
    file.content.read(1);
    // The program would need some 100 ms for all of it.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(file.content.readableLength).toBeLessThan(MIB);
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * MIB);
    file.content.destroy();
    const body = new PassThrough();
    const sending = client.appendUpload(id(), { offset: 0, size: 100 }, body);
    body.write('half');
    await new Promise((resolve) => setTimeout(resolve, 200));
    body.end('whole');
    expect(await sending).toBe(9);
  });

  it('that is no longer wanted ends its program, and no other request', async () => {
    writeFileSync(at('large.bin'), randomBytes(64 * MIB));
    const abort = new AbortController();
    const file = await client.open('large.bin', { signal: abort.signal });
    await client.list('');
    expect(programs.running.size).toBe(2);
    abort.abort();
    await expect(file.content.toArray()).rejects.toThrow();
    await waitUntil('the program ends', () => programs.running.size === 1);
    expect((await client.list('')).entries).toHaveLength(1);
  });

  it('of a program that is killed is never taken for whole, and the next request has a new one', async () => {
    writeFileSync(at('large.bin'), randomBytes(64 * MIB));
    const file = await client.open('large.bin');
    file.content.read(1);
    for (const child of programs.running) child.kill('SIGKILL');
    await expect(file.content.toArray()).rejects.toThrow();
    const upload = id();
    const body = new PassThrough();
    const sending = client.appendUpload(upload, { offset: 0, size: 1_000 }, body);
    body.write('x'.repeat(500));
    await waitUntil('half arrived', async () => (await client.uploadOffset(upload)) === 500);
    for (const child of programs.running) child.kill('SIGKILL');
    await expect(sending).rejects.toMatchObject({ code: 'unavailable' });
    expect(await client.uploadOffset(upload)).toBe(500);
    await client.appendUpload(upload, { offset: 500, size: 1_000 }, Buffer.from('y'.repeat(500)));
    await client.finishUpload(upload, 'a', { size: 1_000, replaces: false });
    expect(readFileSync(at('a'), 'utf8')).toBe('x'.repeat(500) + 'y'.repeat(500));
  });

  it('is text only if an editor can show it and save the same bytes', async () => {
    writeFileSync(at('a.php'), '\ufeff<?php // ü\r\n');
    expect(await client.readText('a.php')).toMatchObject({ text: '\ufeff<?php // ü\r\n', encoding: 'utf-8' });
    writeFileSync(at('old.html'), Buffer.from('<p>\xfc</p>', 'latin1'));
    expect(await client.readText('old.html')).toMatchObject({ text: '<p>ü</p>', encoding: 'latin1' });
    writeFileSync(at('a.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]));
    await expect(client.readText('a.png')).rejects.toMatchObject({ code: 'binary' });
    writeFileSync(at('large.log'), 'x'.repeat(2 * MIB + 1));
    await expect(client.readText('large.log')).rejects.toMatchObject({ code: 'too_large' });
    expect(await client.list('')).toMatchObject({ total: 4 });
  });

  it('is saved unless somebody else changed it', async () => {
    writeFileSync(at('a.txt'), 'one');
    const { etag } = await client.readText('a.txt');
    const saved = await client.save('a.txt', Buffer.from('two'), etag);
    await expect(client.save('a.txt', Buffer.from('three'), etag)).rejects.toMatchObject({ code: 'changed' });
    await client.save('a.txt', Buffer.from('three'), saved.etag);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('three');
  });
});

describe('jobs', () => {
  it('report their progress, and end with their reader', async () => {
    mkdirSync(at('large'));
    writeFileSync(at('large/file'), randomBytes(48 * MIB));
    const states: string[] = [];
    const job = {
      id: id(),
      kind: 'archive',
      paths: ['large'],
      folder: '',
      name: 'a.tar.gz',
      format: 'tar.gz',
    } as const;
    for await (const { state, done, total } of client.runJob(job)) {
      states.push(state);
      expect(done).toBeLessThanOrEqual(total);
    }
    expect([states[0], states.at(-1)]).toEqual(['running', 'done']);
    expect(statSync(at('a.tar.gz')).size).toBeGreaterThan(48 * MIB);
    rmSync(at('a.tar.gz'));
    const second = client.runJob({ ...job, id: id() });
    expect((await second.next()).value?.state).toBe('running');
    await second.return(undefined);
    await waitUntil('its program ends', () => programs.running.size === 0);
    expect((await client.list('')).entries.map(({ name }) => name)).toEqual(['.local', 'large']);
  });

  it('are cancelled through another channel', async () => {
    mkdirSync(at('large'));
    writeFileSync(at('large/file'), randomBytes(96 * MIB));
    const job = {
      id: id(),
      kind: 'archive',
      paths: ['large'],
      folder: '',
      name: 'a.tar.gz',
      format: 'tar.gz',
    } as const;
    let last: unknown;
    for await (const state of client.runJob(job)) {
      if (last === undefined) {
        expect(await client.listJobs()).toMatchObject([{ id: job.id, state: 'running' }]);
        await client.forgetJob(job.id);
      }
      last = state;
    }
    expect(last).toMatchObject({ state: 'failed', failure: 'cancelled' });
  });
});

describe('a program in the hands of the tenant', () => {
  /** A channel whose other end answers every request with these bytes, and then does `then`. */
  const answering = (bytes: string | Buffer, then: (theirs: Duplex) => void = () => {}) => {
    const openChannel = async () => {
      const [ours, theirs] = duplexPair();
      theirs.once('data', () => {
        theirs.write(bytes);
        then(theirs);
      });
      theirs.resume();
      theirs.on('error', () => {});
      return ours;
    };
    const session = 'hostile';
    return new FilesClient({ agent, session, openChannel, answerTimeoutMs: 500, silenceMs: 500 });
  };
  const json = (text: string, status = '200 OK') =>
    `HTTP/1.1 ${status}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  const unavailable = { code: 'unavailable' };

  it.each([
    ['nothing', ''],
    ['no HTTP', 'hello\r\n\r\n'],
    ['no JSON', json('<script>alert(1)</script>')],
    ['other JSON', json('{"entries":"many"}')],
    ['a redirect', json('', '302 Found')],
    ['a refusal that is none', json('{"failure":"own","detail":"<b>x</b>"}', '403 Forbidden')],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(10_000)}`],
    ['a short body', `HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}`],
    ['a chunk without an end', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\n{}  '],
  ])('cannot answer %s', async (_, bytes) => {
    await expect(answering(bytes).list('')).rejects.toMatchObject(unavailable);
  });

  it('cannot fill the memory with an endless answer', async () => {
    const endless = answering('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', (theirs) => {
      const chunk = `100000\r\n${' '.repeat(MIB)}\r\n`;
      Readable.from(
        (function* () {
          for (;;) yield chunk;
        })(),
        { objectMode: false },
      ).pipe(theirs);
    });
    await expect(endless.list('')).rejects.toMatchObject(unavailable);
    expect(process.memoryUsage().rss).toBeLessThan(2_000 * MIB);
  });

  it('cannot name other paths than those of the wire', async () => {
    const entry = { kind: 'file', size: 1, mtime_ms: 1, mode: 0o644 };
    const list = (name: string) =>
      json(JSON.stringify({ path: '', entries: [{ ...entry, name }], total: 1, is_cut: false }));
    for (const name of ['../x', 'a/b', '"><script>', '..', 'a b', ''])
      await expect(answering(list(name)).list('')).rejects.toMatchObject(unavailable);
    expect((await answering(list('a%20b')).list('')).entries[0]?.name).toBe('a%20b');
  });

  it.each([
    ['ETag: "x\\"\r\nContent-Length: 1', 'an etag of its own'],
    ['ETag: "1-1-1"\r\nTransfer-Encoding: chunked', 'no length'],
    ['ETag: "1-1-1"\r\nContent-Length: 1\r\nContent-Range: items', 'a range of its own'],
  ])('cannot send a file with %s', async (headers) => {
    await expect(answering(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\nx`).open('a')).rejects.toMatchObject(
      unavailable,
    );
  });

  it('cannot report another job', async () => {
    const other = JSON.stringify({
      id: 'a'.repeat(32),
      kind: 'copy',
      path: '',
      state: 'done',
      done: 0,
      total: 0,
      unit: 'bytes',
      started_ms: 1,
    });
    const job = { id: 'b'.repeat(32), kind: 'extract', path: 'a.zip' } as const;
    await expect(
      answering(json(`${other}\n`))
        .runJob(job)
        .next(),
    ).rejects.toMatchObject(unavailable);
  });
});
