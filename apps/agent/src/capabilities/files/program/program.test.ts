import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { gzipSync } from 'node:zlib';
import {
  type FileJob,
  fileList,
  fileStat,
  folderTree,
  searchFinds,
  trashList,
  wireName,
} from '@innkeeper/domain';
import { makeZip, requireProgram } from '@innkeeper/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from './file-failure.ts';
import { Home } from './home.ts';
import { createFileServer } from './server.ts';
import { tarEnd, tarHeader, tarPadding } from './tar-writer.ts';

let home: string;
let outside: string;
let agent: Agent;
beforeEach(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'innkeeper-files-')));
  home = join(folder, 'home');
  outside = join(folder, 'outside');
  mkdirSync(home);
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), 'secret of another account');
  const [theirs, ours] = duplexPair();
  createFileServer(new Home(home)).emit('connection', theirs);
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agent.createConnection = () => ours as Socket;
  for (const name of ['setKeepAlive', 'setTimeout', 'ref', 'unref', 'setNoDelay'])
    Object.assign(ours, { [name]: () => ours });
});
afterEach(() => {
  agent.destroy();
  rmSync(join(home, '..'), { recursive: true, force: true });
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  json: any;
}

async function ask(
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const bytes = Buffer.isBuffer(body)
    ? body
    : body === undefined
      ? undefined
      : Buffer.from(JSON.stringify(body));
  return await new Promise((resolve, reject) => {
    const outgoing = request({ agent, method, path, headers }, (incoming: IncomingMessage) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const all = Buffer.concat(chunks);
        const isJson = all[0] === 0x7b && !String(incoming.headers['content-type']).includes('octet');
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          bytes: all,
          json: isJson ? JSON.parse(all.toString().trimEnd().split('\n').at(-1)!) : undefined,
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

const write = (path: string, text = path) => {
  mkdirSync(join(home, path, '..'), { recursive: true });
  writeFileSync(join(home, path), text);
};
const read = (path: string) => readFileSync(join(home, path), 'utf8');
const failure = async (method: string, path: string, more = {}) =>
  (await ask(method, path, more)).json.failure;
const list = async (path = '', query = '') =>
  fileList.parse((await ask('GET', `/list/${path}?${query}`)).json);
const namesOf = async (path = '', query = '') => (await list(path, query)).entries.map(({ name }) => name);
let jobs = 0;
const newId = () => {
  jobs += 1;
  return jobs.toString(16).padStart(32, '0');
};
async function timeOf(run: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}
const job = async (body: Record<string, unknown>): Promise<FileJob> =>
  (await ask('POST', '/jobs', { body: { id: newId(), ...body } })).json;

describe('a list', () => {
  it('has folders first, then names in the order of people', async () => {
    for (const name of ['b.txt', 'a10.txt', 'a9.txt', '.htaccess']) write(name);
    mkdirSync(join(home, 'zoo'));
    expect(await namesOf()).toEqual(['zoo', '.htaccess', 'a9.txt', 'a10.txt', 'b.txt']);
    expect(await namesOf('', 'descending=true')).toEqual(['zoo', 'b.txt', 'a10.txt', 'a9.txt', '.htaccess']);
    expect(await namesOf('', 'filter=A1')).toEqual(['a10.txt']);
    expect(await namesOf('', 'foldersOnly=true')).toEqual(['zoo']);
    expect(await list('', 'offset=1&limit=2')).toMatchObject({ total: 5, is_cut: false });
    expect(await namesOf('', 'offset=1&limit=2')).toEqual(['.htaccess', 'a9.txt']);
  });

  it('can be ordered by size and time', async () => {
    write('small', 'x');
    write('large', 'x'.repeat(100));
    utimesSync(join(home, 'small'), 1_000, 2_000);
    expect(await namesOf('', 'order=size&descending=true')).toEqual(['large', 'small']);
    expect(await namesOf('', 'order=time')).toEqual(['small', 'large']);
  });

  it('keeps names that are no text, and paths lead to them', async () => {
    const name = Buffer.from([0x66, 0xff, 0x0a, 0x20, 0x25]);
    writeFileSync(Buffer.concat([Buffer.from(`${home}/`), name]), 'odd');
    expect(await namesOf()).toEqual([wireName(name)]);
    expect((await ask('GET', `/content/${wireName(name)}`)).bytes.toString()).toBe('odd');
    await ask('POST', '/folder/in');
    expect((await ask('POST', `/move/in`, { body: { paths: [wireName(name)] } })).status).toBe(200);
    expect(await namesOf('in')).toEqual([wireName(name)]);
  });

  it('shows links as links, and where they lead', async () => {
    write('sites/a/index.php');
    symlinkSync('sites/a', join(home, 'to-folder'));
    symlinkSync('sites/a/index.php', join(home, 'to-file'));
    symlinkSync('nowhere', join(home, 'broken'));
    symlinkSync(outside, join(home, 'out'));
    symlinkSync('loop', join(home, 'loop'));
    await requireProgram(['mkfifo', join(home, 'pipe')]);
    const { entries } = await list();
    const of = (name: string) => entries.find((entry) => entry.name === name);
    expect(of('to-folder')).toMatchObject({ kind: 'link', target: 'sites/a', leads_to: 'folder' });
    expect(of('to-file')).toMatchObject({ kind: 'link', leads_to: 'file' });
    expect(of('broken')).toMatchObject({ kind: 'link', leads_to: 'nothing' });
    expect(of('loop')).toMatchObject({ kind: 'link', leads_to: 'nothing' });
    expect(of('out')).toMatchObject({ kind: 'link', leads_to: 'outside' });
    expect(of('pipe')).toMatchObject({ kind: 'other' });
    expect(await namesOf('to-folder')).toEqual(['index.php']);
  });

  it('of 10,000 entries takes less than 300 ms, on a machine that is not busy', async () => {
    mkdirSync(join(home, 'many'));
    for (let at = 0; at < 10_000; at += 1) writeFileSync(join(home, 'many', `file-${at}.txt`), '');
    const plain = () => {
      for (const name of readdirSync(join(home, 'many'))) lstatSync(join(home, 'many', name));
    };
    plain();
    // On a busy machine nothing takes the time that it needs, so the plain calls of the kernel are the measure.
    const plainMs = await timeOf(plain);
    let entries: unknown[] = [];
    const tookMs = await timeOf(async () => {
      ({ entries } = await list('many', 'limit=20000'));
    });
    expect(entries).toHaveLength(10_000);
    expect(tookMs).toBeLessThan(Math.max(300, 6 * plainMs));
  });

  it('has a tree of the folders on the way', async () => {
    for (const folder of ['sites/a/x', 'sites/b', 'logs']) mkdirSync(join(home, folder), { recursive: true });
    const { levels } = folderTree.parse((await ask('GET', '/tree/sites/a')).json);
    expect(levels.map(({ path, folders }) => [path, folders])).toEqual([
      ['', ['logs', 'sites']],
      ['sites', ['a', 'b']],
      ['sites/a', ['x']],
    ]);
  });
});

describe('a path', () => {
  it.each(['list', 'content', 'zip', 'stat', 'search'])(
    'never leads out of the home: %s',
    async (operation) => {
      symlinkSync(outside, join(home, 'out'));
      symlinkSync(join(outside, 'secret.txt'), join(home, 'secret'));
      const query = operation === 'search' ? '?text=secret&by=content' : '';
      for (const path of ['out/secret.txt', '../outside/secret.txt', '%2e%2e/outside', 'out/../../outside']) {
        const { status, bytes } = await ask('GET', `/${operation}/${path}${query}`);
        expect([path, status]).toEqual([path, 400]);
        expect(bytes.toString()).not.toContain('of another');
      }
      if (operation === 'content') expect(await failure('GET', '/content/secret')).toBe('outside');
      if (operation === 'search')
        expect((await ask('GET', '/search/?text=secret%20of&by=content')).json.finds).toEqual([]);
    },
  );

  it('writes nothing through a link that leads out', async () => {
    symlinkSync(outside, join(home, 'out'));
    symlinkSync(join(outside, 'secret.txt'), join(home, 'secret'));
    expect(await failure('PUT', '/content/out/new', { body: Buffer.from('x') })).toBe('outside');
    expect(await failure('PUT', '/content/secret', { body: Buffer.from('x') })).toBe('outside');
    expect(await failure('POST', '/folder/out/new')).toBe('outside');
    expect(await failure('POST', '/mode/secret', { body: { mode: 0o777 } })).toBe('not_file');
    write('a.txt');
    expect(await failure('POST', '/rename/a.txt', { body: { to: 'out/a.txt' } })).toBe('outside');
    expect(await failure('POST', `/upload/out/b?id=${newId()}`, { body: { size: 0, replaces: true } })).toBe(
      'outside',
    );
    expect(readdirSync(outside)).toEqual(['secret.txt']);
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret of another account');
  });

  it('to a named pipe is refused at once', async () => {
    await requireProgram(['mkfifo', join(home, 'pipe')]);
    expect(await failure('GET', '/content/pipe')).toBe('not_file');
    expect(await failure('PUT', '/content/pipe', { body: Buffer.from('x') })).toBe('not_file');
    expect(await failure('GET', '/list/pipe')).toBe('not_folder');
    expect((await job({ kind: 'archive', paths: ['pipe'], folder: '', name: 'a.zip' })).skipped).toBe(1);
  });
});

describe('a file', () => {
  it('is read in whole and in ranges', async () => {
    write('a.txt', '0123456789');
    const whole = await ask('GET', '/content/a.txt');
    expect([whole.status, whole.bytes.toString(), whole.headers['content-length']]).toEqual([
      200,
      '0123456789',
      '10',
    ]);
    const range = async (value: string, more = {}) => {
      const { status, bytes, headers } = await ask('GET', '/content/a.txt', {
        headers: { Range: value, ...more },
      });
      return [status, bytes.toString(), headers['content-range']];
    };
    expect(await range('bytes=2-4')).toEqual([206, '234', 'bytes 2-4/10']);
    expect(await range('bytes=7-')).toEqual([206, '789', 'bytes 7-9/10']);
    expect(await range('bytes=-3')).toEqual([206, '789', 'bytes 7-9/10']);
    expect(await range('bytes=0-0')).toEqual([206, '0', 'bytes 0-0/10']);
    expect(await range('bytes=10-')).toEqual([416, '', 'bytes */10']);
    expect((await range('bytes=5-2'))[0]).toBe(416);
    expect((await range('bytes=2-4', { 'If-Range': '"other"' }))[0]).toBe(200);
    const head = await ask('HEAD', '/content/a.txt');
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([200, '10', 0]);
  });

  it('is replaced as a whole, keeps its mode, and a changed one is not overwritten', async () => {
    write('a.sh', 'old');
    chmodSync(join(home, 'a.sh'), 0o750);
    const { etag } = fileStat.parse((await ask('GET', '/stat/a.sh')).json);
    const saved = await ask('PUT', '/content/a.sh', {
      body: Buffer.from('new'),
      headers: { 'If-Match': etag },
    });
    expect([saved.status, read('a.sh'), statSync(join(home, 'a.sh')).mode & 0o777]).toEqual([
      200,
      'new',
      0o750,
    ]);
    const again = { body: Buffer.from('newer'), headers: { 'If-Match': etag } };
    expect(await failure('PUT', '/content/a.sh', again)).toBe('changed');
    const next = { ...again, headers: { 'If-Match': saved.json.etag } };
    write('a.sh', 'NEW');
    expect(await failure('PUT', '/content/a.sh', next)).toBe('changed');
    rmSync(join(home, 'a.sh'));
    expect(await failure('PUT', '/content/a.sh', next)).toBe('changed');
    expect(readdirSync(home)).toEqual([]);
  });

  it('that a link leads to is replaced, and the link stays', async () => {
    write('real/a.txt', 'old');
    symlinkSync('real/a.txt', join(home, 'link'));
    expect((await ask('PUT', '/content/link', { body: Buffer.from('new') })).status).toBe(200);
    expect([read('real/a.txt'), readlinkSync(join(home, 'link'))]).toEqual(['new', 'real/a.txt']);
  });

  it('that is new replaces nothing', async () => {
    write('a.txt', 'mine');
    const asNew = { body: Buffer.from('x'), headers: { 'If-None-Match': '*' } };
    expect(await failure('PUT', '/content/a.txt', asNew)).toBe('exists');
    expect(await failure('POST', '/file/a.txt')).toBe('exists');
    expect(await failure('POST', '/folder/a.txt')).toBe('exists');
    expect((await ask('PUT', '/content/b.txt', asNew)).status).toBe(200);
    expect([read('a.txt'), read('b.txt'), statSync(join(home, 'b.txt')).mode & 0o777]).toEqual([
      'mine',
      'x',
      0o644,
    ]);
  });

  it('that is not writable is not replaced through its folder', async () => {
    write('a.txt', 'mine');
    chmodSync(join(home, 'a.txt'), 0o444);
    expect(await failure('PUT', '/content/a.txt', { body: Buffer.from('x') })).toBe('denied');
    expect(read('a.txt')).toBe('mine');
  });
});

describe('an upload', () => {
  const part = (id: string, offset: number, size: number, text: string) =>
    ask('PUT', `/upload?id=${id}&offset=${offset}&size=${size}`, { body: Buffer.from(text) });

  it('goes on where it ended, and has its name only when it is complete', async () => {
    const id = newId();
    expect((await ask('GET', `/upload?id=${id}`)).json).toEqual({ offset: 0 });
    expect((await part(id, 0, 10, 'hello')).json).toEqual({ offset: 5 });
    expect((await ask('GET', `/upload?id=${id}`)).json).toEqual({ offset: 5 });
    expect((await part(id, 0, 10, 'hello')).json).toEqual({ failure: 'offset', offset: 5 });
    expect((await part(id, 7, 10, 'x')).json).toEqual({ failure: 'offset', offset: 5 });
    const finish = { body: { size: 10, replaces: false } };
    expect((await ask('POST', `/upload/new/folder/a.txt?id=${id}`, finish)).json).toMatchObject({
      failure: 'offset',
      offset: 5,
    });
    expect((await part(id, 5, 10, 'world!')).json.failure).toBe('invalid');
    expect((await part(id, 5, 10, 'world')).json).toEqual({ offset: 10 });
    expect((await ask('POST', `/upload/new/folder/a.txt?id=${id}`, finish)).json).toMatchObject({
      size: 10,
      mode: 0o644,
    });
    expect(read('new/folder/a.txt')).toBe('helloworld');
    expect((await ask('GET', `/upload?id=${id}`)).json).toEqual({ offset: 0 });
  });

  it('keeps what arrived before its connection broke', async () => {
    const id = newId();
    const outgoing = request({
      agent,
      method: 'PUT',
      path: `/upload?id=${id}&offset=0&size=100`,
      headers: { 'Content-Length': 100 },
    });
    const broke = new Promise((resolve) => outgoing.once('error', resolve));
    outgoing.write('x'.repeat(40));
    const place = join(home, '.local/share/innkeeper/uploads', id);
    await expect.poll(() => existsSync(place) && statSync(place).size).toBe(40);
    outgoing.destroy();
    await broke;
    expect(statSync(place).size).toBe(40);
  });

  it('replaces only if that is wanted, and never a folder', async () => {
    write('a.txt', 'old');
    mkdirSync(join(home, 'folder'));
    const id = newId();
    await part(id, 0, 3, 'new');
    const finish = (path: string, replaces: boolean) =>
      ask('POST', `/upload/${path}?id=${id}`, { body: { size: 3, replaces } });
    expect((await finish('a.txt', false)).json.failure).toBe('exists');
    expect((await finish('folder', true)).json.failure).toBe('is_folder');
    expect((await finish('a.txt', true)).status).toBe(200);
    expect(read('a.txt')).toBe('new');
    expect(
      (await ask('POST', `/upload/empty?id=${newId()}`, { body: { size: 0, replaces: false } })).status,
    ).toBe(200);
    expect(read('empty')).toBe('');
  });

  it('without an end is removed after a week, and can be removed at once', async () => {
    const [old, recent, id] = [newId(), newId(), newId()];
    for (const one of [old, recent]) await part(one, 0, 3, 'x');
    const folder = join(home, '.local/share/innkeeper/uploads');
    utimesSync(join(folder, old), 1, Date.now() / 1_000 - 8 * 86_400);
    await part(id, 0, 3, 'x');
    expect(readdirSync(folder).sort()).toEqual([recent, id].sort());
    await ask('DELETE', `/upload?id=${id}`);
    expect(readdirSync(folder)).toEqual([recent]);
    expect(await failure('PUT', '/upload?id=../../../a&offset=0&size=1', { body: Buffer.from('x') })).toBe(
      'invalid',
    );
  });
});

describe('moving', () => {
  it('replaces nothing and never puts a folder into itself', async () => {
    write('a/x');
    write('b/x');
    symlinkSync('x', join(home, 'a/link'));
    expect(await failure('POST', '/rename/a/x', { body: { to: 'b/x' } })).toBe('exists');
    expect(await failure('POST', '/rename/a', { body: { to: 'a/b' } })).toBe('inside_itself');
    expect(await failure('POST', '/rename/nothing', { body: { to: 'c' } })).toBe('not_found');
    expect((await ask('POST', '/move/b', { body: { paths: ['a/link', 'a'] } })).json).toEqual({
      paths: ['b/link', 'b/a'],
    });
    expect([readlinkSync(join(home, 'b/link')), read('b/a/x')]).toEqual(['x', 'a/x']);
  });

  it('sets permissions of one entry, or of everything in a folder, and of no link', async () => {
    write('a/b/c.txt');
    write('other.txt');
    symlinkSync('../other.txt', join(home, 'a/link'));
    chmodSync(join(home, 'other.txt'), 0o600);
    const modeOf = (path: string) => statSync(join(home, path)).mode & 0o7777;
    await ask('POST', '/mode/a', { body: { mode: 0o750 } });
    expect([modeOf('a'), modeOf('a/b')]).toEqual([0o750, 0o755]);
    const all = { body: { mode: 0o700, below: { files: 0o640, folders: 0o500 } } };
    expect((await ask('POST', '/mode/a', all)).json).toEqual({ changed: 3 });
    expect([modeOf('a'), modeOf('a/b'), modeOf('a/b/c.txt'), modeOf('other.txt')]).toEqual([
      0o700, 0o500, 0o640, 0o600,
    ]);
    expect(await failure('POST', '/mode/a', { body: { mode: 0o4755 } })).toBe('invalid');
  });
});

describe('the trash', () => {
  it('keeps what was deleted, and puts it back where it was', async () => {
    write('sites/a/index.php');
    write('x.txt', 'first');
    expect((await ask('POST', '/delete', { body: { paths: ['sites/a', 'x.txt'] } })).status).toBe(200);
    write('x.txt', 'second');
    await ask('POST', '/delete', { body: { paths: ['x.txt'] } });
    expect(await namesOf('sites')).toEqual([]);
    const { items } = trashList.parse((await ask('GET', '/trash')).json);
    expect(items.map(({ name, path, kind }) => [name, path, kind]).sort()).toEqual([
      ['a', 'sites/a', 'folder'],
      ['x.txt', 'x.txt', 'file'],
      ['x.txt.2', 'x.txt', 'file'],
    ]);
    rmSync(join(home, 'sites'), { recursive: true });
    write('x.txt', 'third');
    const { json } = await ask('POST', '/restore', { body: { names: ['a', 'x.txt.2'] } });
    expect(json).toEqual({ paths: ['sites/a', 'x-2.txt'] });
    expect([read('sites/a/index.php'), read('x.txt'), read('x-2.txt')]).toEqual([
      'sites/a/index.php',
      'third',
      'second',
    ]);
    const note = readFileSync(join(home, '.local/share/Trash/info/x.txt.trashinfo'), 'utf8');
    expect(note).toMatch(
      /^\[Trash Info\]\nPath=\/.*\/home\/x\.txt\nDeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\n$/,
    );
  });

  it('is emptied for good, in part or as a whole', async () => {
    write('folder/deep/file');
    chmodSync(join(home, 'folder/deep'), 0o500);
    write('keep.txt');
    symlinkSync('../keep.txt', join(home, 'folder/link'));
    write('b.txt');
    await ask('POST', '/delete', { body: { paths: ['folder', 'b.txt'] } });
    expect(await job({ kind: 'remove', names: ['b.txt'] })).toMatchObject({ state: 'done' });
    expect((await ask('GET', '/trash')).json.items.map(({ name }: { name: string }) => name)).toEqual([
      'folder',
    ]);
    expect(await job({ kind: 'remove' })).toMatchObject({ state: 'done', unit: 'entries', done: 4 });
    expect((await ask('GET', '/trash')).json.items).toEqual([]);
    expect(readdirSync(join(home, '.local/share/Trash/info'))).toEqual([]);
    expect(read('keep.txt')).toBe('keep.txt');
  });

  it('takes neither the home nor itself', async () => {
    for (const path of ['.local', '.local/share/Trash', '.local/share/Trash/files', ''])
      expect(await failure('POST', '/delete', { body: { paths: [path] } })).toBe('inside_itself');
  });
});

describe('search', () => {
  it('finds names and lines, in folders, and follows no link', async () => {
    write('a/Config.php', 'one\ntwo: The NEEDLE is here\nthree');
    write('a/binary', 'needle\0');
    write('b/needle.txt', 'nothing');
    symlinkSync('..', join(home, 'a/up'));
    const find = async (text: string, by: string, path = '') =>
      searchFinds.parse((await ask('GET', `/search/${path}?text=${text}&by=${by}`)).json);
    expect(await find('needle', 'name')).toEqual({
      finds: [{ path: 'b/needle.txt', kind: 'file' }],
      is_cut: false,
    });
    expect((await find('needle', 'content')).finds).toEqual([
      { path: 'a/Config.php', kind: 'file', line: 2, excerpt: 'two: The NEEDLE is here' },
    ]);
    expect((await find('needle', 'content', 'b')).finds).toEqual([]);
  });

  it('ends when it has found enough', async () => {
    for (let at = 0; at < 310; at += 1) write(`many/file-${at}`);
    expect((await ask('GET', '/search/?text=file&by=name')).json).toMatchObject({ is_cut: true });
  });
});

describe('copies and archives', () => {
  it('copies a tree with its links and modes, beside what is there', async () => {
    write('a/b/run.sh');
    chmodSync(join(home, 'a/b/run.sh'), 0o755);
    chmodSync(join(home, 'a/b'), 0o550);
    symlinkSync('b/run.sh', join(home, 'a/link'));
    expect(await job({ kind: 'copy', paths: ['a'], folder: '' })).toMatchObject({
      state: 'done',
      result: 'a-2',
    });
    expect([read('a-2/b/run.sh'), readlinkSync(join(home, 'a-2/link'))]).toEqual(['a/b/run.sh', 'b/run.sh']);
    expect(statSync(join(home, 'a-2/b/run.sh')).mode & 0o777).toBe(0o755);
    expect(statSync(join(home, 'a-2/b')).mode & 0o777).toBe(0o550);
    expect(await job({ kind: 'copy', paths: ['a'], folder: 'a/b' })).toMatchObject({
      state: 'failed',
      failure: 'inside_itself',
    });
  });

  const mixed = Array.from({ length: 10_000 }, (_, at) => `${(at * 7919) % 100_003} `)
    .join('')
    .slice(0, 50_000)
    .padEnd(100_000, 'x');
  it.each(['zip', 'tar.gz'])('packs and extracts a folder: %s', async (format) => {
    write('site/index.php', '<?php echo 1;');
    write('site/empty', '');
    write(`site/${'long-name-'.repeat(12)}/ü.txt`, mixed);
    mkdirSync(join(home, 'site/folder'));
    chmodSync(join(home, 'site/index.php'), 0o755);
    symlinkSync('index.php', join(home, 'site/link'));
    const packed = await job({
      kind: 'archive',
      paths: ['site'],
      folder: '',
      name: `backup.${format}`,
      format,
    });
    expect(packed).toMatchObject({
      state: 'done',
      result: `backup.${format}`,
      done: 100_013,
      total: 100_013,
    });
    if (format === 'tar.gz') await requireProgram(['tar', '-tzf', join(home, `backup.${format}`)]);
    const extracted = await job({ kind: 'extract', path: `backup.${format}` });
    expect(extracted).toMatchObject({ state: 'done', result: 'backup' });
    const into = format === 'zip' ? 'backup' : 'backup/site';
    expect(read(`${into}/index.php`)).toBe('<?php echo 1;');
    expect(read(`${into}/${'long-name-'.repeat(12)}/ü.txt`)).toHaveLength(100_000);
    expect(statSync(join(home, into, 'index.php')).mode & 0o777).toBe(0o755);
    expect(existsSync(join(home, into, 'folder'))).toBe(true);
    if (format === 'tar.gz') expect(readlinkSync(join(home, into, 'link'))).toBe('index.php');
    else expect(packed.skipped).toBe(1);
    expect(readdirSync(home).filter((name) => name.includes('innkeeper-'))).toEqual([]);
  });

  it('sends a folder as a ZIP archive while it reads it', async () => {
    write('site/a.txt');
    write('site/b/c.txt');
    const { bytes, headers } = await ask('GET', '/zip/site');
    expect(headers['transfer-encoding']).toBe('chunked');
    writeFileSync(join(home, 'got.zip'), bytes);
    await job({ kind: 'extract', path: 'got.zip' });
    expect([read('got/a.txt'), read('got/b/c.txt')]).toEqual(['site/a.txt', 'site/b/c.txt']);
    const some = await ask('GET', '/zip/site?name=b');
    writeFileSync(join(home, 'some.zip'), some.bytes);
    await job({ kind: 'extract', path: 'some.zip' });
    expect(readdirSync(join(home, 'some'))).toEqual(['c.txt']);
  });

  const tarWith = async (args: string[]) => {
    await requireProgram(['tar', '-czf', join(home, 'evil.tar.gz'), '-C', outside, ...args]);
    return await job({ kind: 'extract', path: 'evil.tar.gz' });
  };
  it('extracts nothing through a link, and no link that leads out', async () => {
    symlinkSync('/etc', join(outside, 'abs'));
    symlinkSync('../../..', join(outside, 'up'));
    symlinkSync('secret.txt', join(outside, 'fine'));
    const done = await tarWith(['abs', 'up', 'fine', 'secret.txt']);
    expect(done).toMatchObject({ state: 'done', skipped: 2 });
    expect(readdirSync(join(home, 'evil')).sort()).toEqual(['fine', 'secret.txt']);
    // A link, and then a file that would be written through it.
    const stats = { mode: 0o777, size: 0, mtimeMs: 0 };
    const through = [
      tarHeader(Buffer.from('a'), { ...stats, kind: 'link', target: Buffer.from(outside) }),
      tarHeader(Buffer.from('a/planted'), { ...stats, kind: 'file' }),
      tarEnd(),
    ];
    writeFileSync(join(home, 'race.tar.gz'), gzipSync(Buffer.concat(through)));
    expect(await job({ kind: 'extract', path: 'race.tar.gz' })).toMatchObject({
      state: 'failed',
      failure: 'archive',
    });
    expect(existsSync(join(outside, 'planted'))).toBe(false);
  });

  it('refuses an archive that leaves its folder, and leaves nothing', async () => {
    writeFileSync(join(home, 'slip.zip'), makeZip([{ name: '../slip.txt', data: 'x' }]));
    expect(await job({ kind: 'extract', path: 'slip.zip' })).toMatchObject({
      failure: 'archive',
      detail: 'The archive field must not have such an entry: "../slip.txt" has a path with ...',
    });
    const done = await tarWith(['-P', '--transform', 's,^,../../,', 'secret.txt']);
    expect(done).toMatchObject({ state: 'failed', failure: 'archive' });
    expect(readdirSync(home).sort()).toEqual(['.local', 'evil.tar.gz', 'slip.zip']);
  });

  it('refuses bombs, corrupt archives and other files', async () => {
    const blocks = Array.from({ length: 7_500 }, () => [randomBytes(12), Buffer.alloc(3_988)]).flat();
    const content = Buffer.concat(blocks);
    const header = tarHeader(Buffer.from('zeros'), {
      mode: 0o644,
      size: content.length,
      mtimeMs: 0,
      kind: 'file',
    });
    const bomb = Buffer.concat([header, content, tarPadding(content.length), tarEnd()]);
    writeFileSync(join(home, 'bomb.tar.gz'), gzipSync(bomb));
    expect((await job({ kind: 'extract', path: 'bomb.tar.gz' })).detail).toContain('100 times');
    writeFileSync(join(home, 'text.zip'), 'no archive');
    expect((await job({ kind: 'extract', path: 'text.zip' })).detail).toContain('cannot be read');
    writeFileSync(join(home, 'text.tar.gz'), gzipSync('no tar at all'.repeat(500)));
    expect(await job({ kind: 'extract', path: 'text.tar.gz' })).toMatchObject({ failure: 'archive' });
    write('a.txt');
    expect(await job({ kind: 'extract', path: 'a.txt' })).toMatchObject({ failure: 'archive' });
    expect(readdirSync(home).filter((name) => name.includes('innkeeper-'))).toEqual([]);
  });

  it('are cancelled by whoever forgets them, and leave nothing', async () => {
    mkdirSync(join(home, 'large'));
    // Random, so that packing takes a while.
    await requireProgram([
      'dd',
      'if=/dev/urandom',
      `of=${join(home, 'large/file')}`,
      'bs=1M',
      'count=64',
      'status=none',
    ]);
    const id = newId();
    const running = ask('POST', '/jobs', {
      body: { id, kind: 'archive', paths: ['large'], folder: '', name: 'a.tar.gz', format: 'tar.gz' },
    });
    const state = join(home, '.local/share/innkeeper/jobs', id);
    await expect.poll(() => existsSync(state)).toBe(true);
    expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ id, kind: 'archive', state: 'running' });
    rmSync(state);
    expect((await running).json).toMatchObject({ state: 'failed', failure: 'cancelled' });
    expect(readdirSync(home).sort()).toEqual(['.local', 'large']);
  });

  it('have a state that stays, and are lost when nobody runs them', async () => {
    write('a.txt');
    const { id } = await job({ kind: 'copy', paths: ['a.txt'], folder: '' });
    const jobsNow = async () => (await ask('GET', '/jobs')).json.jobs as FileJob[];
    expect(await jobsNow()).toMatchObject([{ id, state: 'done', result: 'a-2.txt' }]);
    const place = join(home, '.local/share/innkeeper/jobs', id);
    writeFileSync(place, JSON.stringify({ ...(await jobsNow())[0], state: 'running' }));
    utimesSync(place, 1, Date.now() / 1_000 - 60);
    expect(await jobsNow()).toMatchObject([{ id, state: 'lost' }]);
    await ask('DELETE', `/jobs?id=${id}`);
    expect(await jobsNow()).toEqual([]);
    writeFileSync(place, 'nonsense');
    expect(await jobsNow()).toEqual([]);
  });
});

it.each([
  ['EDQUOT', 'quota'],
  ['ENOSPC', 'no_space'],
  ['EACCES', 'denied'],
  ['EROFS', 'denied'],
  ['EIO', 'io'],
])('%s is %s', (code, expected) => {
  expect(failureOf(Object.assign(new Error(code), { code })).failure).toBe(expected);
});

it.each(['GET /nothing', 'DELETE /content/a', 'POST /list/', 'PUT /upload?id=x'])(
  'refuses %s',
  async (line) => {
    const [method, path] = line.split(' ') as [string, string];
    expect((await ask(method, path)).status).toBe(400);
    expect(lstatSync(home).isDirectory()).toBe(true);
  },
);
