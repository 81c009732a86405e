import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { CSRF_FIELD } from '@innkeeper/panel';
import type { Question } from '@innkeeper/protocol';
import { makeZip, waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';
import { type Customer, followLink, newCustomer, signedIn } from './customer.ts';
import { FilePrograms } from './files-program.ts';

const programs = new FilePrograms();
const opened: number[] = [];
const rig = useControlPlaneRig();
afterAll(() => programs[Symbol.asyncDispose]());

let customer: Customer;
beforeAll(async () => {
  customer = await newCustomer(rig);
});
beforeEach(() => {
  rig.node.behaviour.talk = (channel, { account_id }: Question<'open-channel'>) => {
    opened.push(account_id);
    void programs.serve(channel);
  };
  for (const name of readdirSync(programs.home)) rmSync(at(name), { recursive: true, force: true });
});

const at = (path: string) => join(programs.home, path);
const write = (path: string, content: string | Buffer = path) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
};
const read = (path: string) => readFileSync(at(path), 'utf8');
const open = (path: string) => customer.visitor.open(path);
const send = (path: string, fields: Record<string, string | string[]> = {}) =>
  customer.visitor.send(path, fields);
/** A request of the script, or of a download, with the visitor's session. */
const ask = async (path: string, init: RequestInit = {}) =>
  await fetch(new URL(path, rig.origin), {
    redirect: 'manual',
    ...init,
    headers: {
      Cookie: [...customer.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...init.headers,
    },
  });
const token = () => customer.visitor.csrfToken();
const askJson = async (method: string, path: string, fields: Record<string, string> = {}) => {
  const body = new URLSearchParams({ [CSRF_FIELD]: token(), ...fields });
  const answer = await ask(path, { method, body, headers: { 'X-Panel-Script': '1' } });
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  return { status: answer.status, json: (await answer.json()) as any };
};

describe('a folder', () => {
  it('is listed with its tree, and links lead on', async () => {
    write('sites/shop/index.php', '<?php');
    write('sites/blog/a.txt');
    symlinkSync('sites/shop', at('shop'));
    const home = await open('/files');
    expect(home.text).toContain('sites');
    expect(home.html).toContain('href="/files/browse/sites"');
    expect(home.html).toContain('href="/files/browse/shop"');
    const { html, text } = await open('/files/browse/sites/shop');
    expect(html).toContain('href="/files/open/sites/shop/index.php"');
    expect(html).toContain('href="/files/browse/sites/blog"');
    expect(text).toContain('5 B');
    expect(opened.at(-1)).toBe(customer.accountId);
  });

  it('shows names of any bytes as text, and they lead to the file', async () => {
    write('<script>alert(1)</script>.txt', 'a');
    writeFileSync(Buffer.concat([Buffer.from(`${programs.home}/`), Buffer.from([0xff, 0x0a, 0x41])]), 'odd');
    const { html } = await open('/files');
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('\\xFF\\x0AA');
    expect(html).toContain('href="/files/open/%FF%0AA"');
    expect((await open('/files/open/%FF%0AA')).html).toContain('odd');
    expect(await (await ask('/files/download/%FF%0AA')).text()).toBe('odd');
  });

  it('of many entries has pages, an order and a filter', async () => {
    for (let number = 0; number < 450; number += 1) write(`many/file-${number}.txt`, 'x'.repeat(number));
    const first = await open('/files/browse/many');
    expect(first.text).toContain('1 to 200 of 450');
    expect(first.html.match(/class="item"/g)).toHaveLength(200);
    const last = await open('/files/browse/many?page=3');
    expect(last.text).toContain('401 to 450 of 450');
    expect((await open('/files/browse/many?order=size&descending=1')).text).toMatch(
      /file-449\.txt.*file-448\.txt/,
    );
    expect((await open('/files/browse/many?filter=file-44')).text).toMatch(/file-44\.txt.*file-440\.txt/);
    expect((await open('/files/browse/many?filter=nothing')).text).toContain('Nothing matches');
  });

  it('that is not there, or outside, is a clear word', async () => {
    symlinkSync('/etc', at('etc'));
    const gone = await open('/files/browse/nothing');
    expect([gone.status, gone.text.includes('is not there')]).toEqual([404, true]);
    const out = await open('/files/browse/etc');
    expect([out.status, out.text.includes('leads out of your home')]).toEqual([403, true]);
    expect((await open('/files/browse/%2e%2e/%2e%2e')).text).not.toContain('root');
    expect((await open('/files/browse/a%00b')).status).toBe(404);
  });

  it('is German for a German reader', async () => {
    write('a.txt');
    const { text } = await customer.visitor.open('/files', { 'Accept-Language': 'de' });
    expect(text).toContain('Dateien');
    expect(text).toContain('Papierkorb');
  });
});

describe('a change', () => {
  beforeEach(async () => {
    write('docs/a.txt', 'a');
    await open('/files/browse/docs');
  });

  it('makes files and folders, and replaces nothing', async () => {
    const folder = await send('/files/new', { folder: 'docs', name: 'new folder', kind: 'folder' });
    expect([folder.path, folder.text.includes('new folder was created.')]).toEqual([
      '/files/browse/docs/new%20folder',
      true,
    ]);
    const file = await send('/files/new', { folder: 'docs', name: 'ü.php', kind: 'file' });
    expect(file.path).toBe('/files/open/docs/%C3%BC.php');
    const again = await send('/files/new', { folder: 'docs', name: 'a.txt', kind: 'file' });
    expect([again.status, again.text.includes('There is already a file')]).toEqual([409, true]);
    const bad = await send('/files/new', { folder: 'docs', name: 'a/b', kind: 'file' });
    expect([bad.status, bad.text.includes('This name is not possible')]).toEqual([422, true]);
    expect(read('docs/a.txt')).toBe('a');
  });

  it('renames, moves and copies', async () => {
    await open('/files/entry/docs/a.txt');
    const renamed = await send('/files/rename/docs/a.txt', { name: 'b.txt' });
    expect([renamed.path, existsSync(at('docs/b.txt'))]).toEqual(['/files/entry/docs/b.txt', true]);
    mkdirSync(at('other'));
    const moved = await send('/files/move', { folder: 'docs', 'paths[]': ['docs/b.txt'], target: '~/other' });
    expect([moved.path, existsSync(at('other/b.txt'))]).toEqual(['/files/browse/other', true]);
    const missing = await send('/files/move', {
      folder: 'other',
      'paths[]': ['other/b.txt'],
      target: 'nowhere',
    });
    expect([missing.status, missing.text.includes('is not there')]).toEqual([422, true]);
    const copied = await send('/files/copy', { folder: 'other', 'paths[]': ['other/b.txt'], target: 'docs' });
    expect([copied.path, read('docs/b.txt')]).toEqual(['/files/browse/docs', 'a']);
    const none = await send('/files/move', { folder: '', target: '' });
    expect(none.text).toContain('Select at least one');
  });

  it('sets permissions, with a word for what is none', async () => {
    await open('/files/entry/docs/a.txt');
    await send('/files/permissions/docs/a.txt', { mode: '600' });
    expect(statSync(at('docs/a.txt')).mode & 0o777).toBe(0o600);
    const wrong = await send('/files/permissions/docs/a.txt', { mode: '9' });
    expect([wrong.status, wrong.errorAt('mode')]).toEqual([422, 'Enter three digits from 0 to 7.']);
    await open('/files/entry/docs');
    const all = await send('/files/permissions/docs', {
      mode: '750',
      below: '1',
      files: '640',
      folders: '750',
    });
    expect(all.text).toContain('The permissions of 2 items were changed.');
  });

  it('deletes into the trash, restores and empties', async () => {
    const deleted = await send('/files/delete', { folder: 'docs', 'paths[]': ['docs/a.txt'] });
    expect([deleted.path, deleted.text.includes('moved to the trash')]).toEqual(['/files/browse/docs', true]);
    const trash = await open('/files/trash');
    expect(trash.text).toContain('~/docs');
    const back = await send('/files/trash/restore', { 'names[]': ['a.txt'] });
    expect([back.path, read('docs/a.txt')]).toEqual(['/files/browse/docs', 'a']);
    await send('/files/delete', { folder: '', 'paths[]': ['docs'] });
    await open('/files/trash');
    const emptied = await send('/files/trash/empty');
    expect([emptied.path, emptied.text.includes('The trash is empty.')]).toEqual(['/files/trash', true]);
    write('big.bin');
    await open('/files/entry/big.bin');
    const gone = await send('/files/remove', { path: 'big.bin' });
    expect([gone.path, existsSync(at('big.bin'))]).toEqual(['/files', false]);
  });

  it('archives and extracts in the background, and says how it ended', async () => {
    const archived = await send('/files/archive', {
      folder: '',
      'paths[]': ['docs'],
      archive: 'backup',
      format: 'tar.gz',
    });
    expect(archived.path).toBe('/files');
    expect(archived.text).toContain('backup.tar.gz');
    expect(archived.text).toMatch(/Archiving docs Done/);
    const extracted = await send('/files/extract', { path: 'backup.tar.gz' });
    expect([extracted.path, read('backup/docs/a.txt')]).toEqual(['/files', 'a']);
    write('slip.zip', makeZip([{ name: '../slip.txt', data: 'x' }]));
    const refused = await send('/files/extract', { path: 'slip.zip' });
    expect(refused.text).toContain('has a path with ...');
    expect(existsSync(join(programs.home, '../slip.txt'))).toBe(false);
    const id = /name="id" value="([0-9a-f]{32})"/.exec(refused.html)?.[1] ?? '';
    const hidden = await send('/files/jobs/forget', { id });
    expect(hidden.html).not.toContain(id);
  });

  it('is in the log of the account: deletions, permissions and extractions each, edits once a session', async () => {
    customer = await newCustomer(rig);
    await open('/files/browse/docs');
    for (const name of ['one', 'two', 'three'])
      await send('/files/new', { folder: 'docs', name, kind: 'folder' });
    await send('/files/delete', { folder: 'docs', 'paths[]': ['docs/one', 'docs/two'] });
    await send('/files/delete', { folder: 'docs', 'paths[]': ['docs/three'] });
    await open('/files/entry/docs/a.txt');
    await send('/files/permissions/docs/a.txt', { mode: '600' });
    const rows = await rig.db
      .selectFrom('audit_log')
      .select(['action', 'details'])
      .where('account_id', '=', customer.accountId)
      .where('action', 'like', 'files.%')
      .where('action', 'not in', ['files.open', 'files.close'])
      .orderBy('id')
      .execute();
    expect(rows.map(({ action }) => action)).toEqual([
      'files.change',
      'files.delete',
      'files.delete',
      'files.permissions',
    ]);
    expect(JSON.stringify(rows[1]?.details)).toContain('docs/one');
    expect((await open('/')).text).toContain('docs/three was deleted.');
  });
});

describe('an edited file', () => {
  const fieldsOf = (html: string) => ({
    etag: /name="etag" value="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? '',
    encoding: /name="encoding" value="([^"]*)"/.exec(html)?.[1] ?? '',
    line_ends: /name="line_ends" value="([^"]*)"/.exec(html)?.[1] ?? '',
  });

  it('is saved with its own line ends and encoding', async () => {
    write('lf.txt', 'one\ntwo\n');
    write('crlf.txt', 'one\r\ntwo\r\n');
    write('latin.txt', Buffer.from('gr\xfcn\n', 'latin1'));
    for (const name of ['lf.txt', 'crlf.txt', 'latin.txt']) {
      const { html } = await open(`/files/open/${name}`);
      const saved = await send(`/files/save/${name}`, { ...fieldsOf(html), content: 'ä\r\nb\r\n' });
      expect(saved.text).toContain('The file was saved.');
    }
    expect(read('lf.txt')).toBe('ä\nb\n');
    expect(read('crlf.txt')).toBe('ä\r\nb\r\n');
    expect(readFileSync(at('latin.txt'), 'latin1')).toBe('ä\nb\n');
    const { html } = await open('/files/open/latin.txt');
    const refused = await send('/files/save/latin.txt', { ...fieldsOf(html), content: '漢' });
    expect(refused.text).toContain('ISO-8859-1, and the text has characters');
  });

  it('that somebody else changed is not overwritten, and the text is not lost', async () => {
    write('a.php', 'old');
    const { html } = await open('/files/open/a.php');
    const fields = fieldsOf(html);
    write('a.php', 'theirs');
    const refused = await send('/files/save/a.php', { ...fields, content: 'mine </textarea>' });
    expect([refused.status, read('a.php')]).toEqual([409, 'theirs']);
    expect(refused.text).toContain('Somebody else has changed this file');
    expect(refused.html).toContain('mine &lt;/textarea&gt;');
    const json = await askJson('POST', '/files/save/a.php', { ...fields, content: 'mine' });
    expect(json).toMatchObject({ status: 409, json: { code: 'conflict' } });
    await send('/files/save/a.php', { ...fields, content: 'mine', overwrite: '1' });
    expect(read('a.php')).toBe('mine');
    const fresh = fieldsOf((await open('/files/open/a.php')).html);
    const saved = await askJson('POST', '/files/save/a.php', { ...fresh, content: 'script' });
    expect([saved.status, read('a.php')]).toEqual([200, 'script']);
    const next = await askJson('POST', '/files/save/a.php', {
      ...fresh,
      etag: saved.json.etag,
      content: 'again',
    });
    expect([next.status, read('a.php')]).toEqual([200, 'again']);
  });

  it('is never binary or huge', async () => {
    write('a.bin', Buffer.from([1, 2, 0, 3]));
    write('large.log', 'x'.repeat(3 * 1024 * 1024));
    expect((await open('/files/open/a.bin')).text).toContain('not text');
    const large = await open('/files/open/large.log');
    expect(large.text).toContain('more than 2 MB');
    expect(large.html.length).toBeLessThan(100_000);
    chmodSync(at('a.bin'), 0o600);
    write('two.txt', 'ü'.repeat(1024 * 1024));
    const { html } = await open('/files/open/two.txt');
    const saved = await send('/files/save/two.txt', { ...fieldsOf(html), content: 'ä'.repeat(1024 * 1024) });
    expect([saved.status, statSync(at('two.txt')).size]).toEqual([200, 2 * 1024 * 1024]);
  });
});

describe('downloads and previews', () => {
  it('never act on the origin of the panel', async () => {
    write('page.html', '<script>alert(1)</script>');
    write('a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const page = await ask('/files/download/page.html');
    expect(page.headers.get('Content-Type')).toBe('application/octet-stream');
    expect(page.headers.get('Content-Disposition')).toBe(
      `attachment; filename="page.html"; filename*=UTF-8''page.html`,
    );
    expect(page.headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox");
    expect(page.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(await page.text()).toBe('<script>alert(1)</script>');
    expect((await ask('/files/image/a.svg')).status).toBe(404);
    expect((await ask('/files/image/page.html')).status).toBe(404);
  });

  it('have ranges, and names of any kind', async () => {
    write('a "b" ü.txt', '0123456789');
    const path = '/files/download/a%20%22b%22%20%C3%BC.txt';
    const part = await ask(path, { headers: { Range: 'bytes=2-4' } });
    expect([part.status, await part.text(), part.headers.get('Content-Range')]).toEqual([
      206,
      '234',
      'bytes 2-4/10',
    ]);
    expect(part.headers.get('Content-Disposition')).toContain(
      `filename="a _b_ _.txt"; filename*=UTF-8''a%20%22b%22%20%C3%BC.txt`,
    );
    const head = await ask(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('Content-Length')]).toEqual([200, '10']);
    expect((await ask('/files/download/nothing')).status).toBe(404);
  });

  it('show pictures by their bytes, and no gigapixel', async () => {
    const png = (side: number) => {
      const chunk = (type: string, data: Buffer) => {
        const length = Buffer.alloc(4);
        length.writeUInt32BE(data.length);
        return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
      };
      const header = Buffer.alloc(13);
      header.writeUInt32BE(side, 0);
      header.writeUInt32BE(side, 4);
      header[8] = 8;
      const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
      return Buffer.concat([
        start,
        chunk('IHDR', header),
        chunk('IDAT', deflateSync(Buffer.alloc(100))),
        chunk('IEND', Buffer.alloc(0)),
      ]);
    };
    write('small.png', png(16));
    write('bomb.png', png(60_000));
    write('fake.png', '<html>');
    const small = await ask('/files/image/small.png');
    expect([small.status, small.headers.get('Content-Type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await small.arrayBuffer())).toEqual(png(16));
    expect((await ask('/files/image/bomb.png')).status).toBe(404);
    expect((await ask('/files/image/fake.png')).status).toBe(404);
    expect((await open('/files/open/small.png')).html).toContain('src="/files/image/small.png"');
  });

  it('send folders and selected files as ZIP archives', async () => {
    write('docs/a.txt');
    write('docs/b.txt');
    const zip = await ask('/files/zip/docs');
    expect(zip.headers.get('Content-Disposition')).toContain('filename="docs.zip"');
    expect(Buffer.from(await zip.arrayBuffer()).includes('docs/a.txt')).toBe(true);
    await open('/files/browse/docs');
    const body = new URLSearchParams([
      [CSRF_FIELD, token()],
      ['folder', 'docs'],
      ['paths[]', 'docs/b.txt'],
    ]);
    const chosen = await ask('/files/zip', { method: 'POST', body });
    const bytes = Buffer.from(await chosen.arrayBuffer());
    expect([bytes.includes('b.txt'), bytes.includes('a.txt')]).toEqual([true, false]);
  });
});

describe('uploads', () => {
  it('work as a form without a script', async () => {
    mkdirSync(at('in'));
    await open('/files/browse/in');
    const form = { field: 'files', name: 'größe.txt', content: Buffer.from('hello') };
    const done = await customer.visitor.upload('/files/upload/in', form);
    expect([done.path, done.text.includes('1 file was uploaded.'), read('in/größe.txt')]).toEqual([
      '/files/browse/in',
      true,
      'hello',
    ]);
    const again = await customer.visitor.upload('/files/upload/in', {
      ...form,
      content: Buffer.from('other'),
    });
    expect([again.status, again.text.includes('There is already a file'), read('in/größe.txt')]).toEqual([
      409,
      true,
      'hello',
    ]);
    expect(readdirSync(at('.local/share/innkeeper/uploads'))).toEqual([]);
    await open('/files');
    const large = Buffer.alloc(20 * 1024 * 1024, 'x');
    await customer.visitor.upload('/files/upload/', { field: 'files', name: '../up.bin', content: large });
    expect(statSync(at('up.bin')).size).toBe(large.length);
  });

  it('of the script continue where they ended', async () => {
    await open('/files');
    const fields = { folder: '', name: 'folder/deep/a.bin', size: '10', modified: '1' };
    const { json: begun } = await askJson('POST', '/files/uploads', fields);
    expect(begun).toMatchObject({ offset: 0, exists: false });
    const part = async (offset: number, text: string) => {
      const path = `/files/uploads/${begun.id}?offset=${offset}&size=10&${CSRF_FIELD}=${token()}`;
      const answer = await ask(path, { method: 'PUT', body: text });
      return { status: answer.status, json: await answer.json() };
    };
    expect(await part(0, 'hello')).toEqual({ status: 200, json: { offset: 5 } });
    expect((await askJson('POST', '/files/uploads', fields)).json).toEqual({
      id: begun.id,
      offset: 5,
      exists: false,
    });
    expect(await part(0, 'hello')).toEqual({ status: 409, json: { offset: 5 } });
    for (const child of programs.running) child.kill('SIGKILL');
    await waitUntil('the programs end', () => programs.running.size === 0);
    expect(await part(5, 'world')).toMatchObject({ json: { offset: 10 } });
    expect((await askJson('POST', `/files/uploads/${begun.id}`, fields)).status).toBe(200);
    expect(read('folder/deep/a.bin')).toBe('helloworld');
    expect((await askJson('POST', '/files/uploads', fields)).json).toMatchObject({ exists: true });
    const twice = await askJson('POST', `/files/uploads/${begun.id}`, { ...fields, size: '0' });
    expect(twice).toMatchObject({
      status: 409,
      json: { message: expect.stringContaining('already a file') },
    });
  });

  it('beyond the disk space of the account are refused before they begin', async () => {
    await open('/files');
    await waitUntil('the usage is known', async () => /of .* used/.test((await open('/files')).text));
    const fields = { folder: '', name: 'a.bin', size: `${900 * 1024 ** 3}`, modified: '1' };
    const refused = await askJson('POST', '/files/uploads', fields);
    expect(refused.json.message).toContain('disk space of your account is used up');
  });

  it('need the CSRF token and this origin, and no wrong names', async () => {
    await open('/files');
    const fields = { folder: '', name: '../../x', size: '1', modified: '1' };
    expect((await askJson('POST', '/files/uploads', fields)).status).toBe(422);
    const put = (query: string, headers = {}) =>
      ask(`/files/uploads/${'a'.repeat(32)}?offset=0&size=1${query}`, { method: 'PUT', body: 'x', headers });
    expect((await put('')).status).toBe(403);
    expect((await put(`&${CSRF_FIELD}=${token()}`, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await put(`&${CSRF_FIELD}=${token()}`)).status).toBe(200);
    expect(existsSync(join(programs.home, '../x'))).toBe(false);
  });
});

describe('search', () => {
  it('finds files by name and by text, below a folder', async () => {
    write('sites/a/wp-config.php', "<?php\ndefine('DB_NAME', 'shop');");
    write('other.txt', 'nothing');
    const byName = await open('/files/search/?text=WP-conf&by=name');
    expect(byName.html).toContain('href="/files/open/sites/a/wp-config.php"');
    const byText = await open('/files/search/sites?text=db_name&by=content');
    expect(byText.text).toMatch(/Line 2: .*DB_NAME/);
    expect((await open('/files/search/?text=absent&by=name')).text).toContain('Nothing in this folder');
  });
});

describe('who', () => {
  it('sees files: the customer alone, also over a login link, and an operator as the customer', async () => {
    write('a.txt');
    const linked = await followLink(rig, customer.accountId, { target: 'files' });
    expect([linked.page.path, linked.page.text.includes('a.txt')]).toEqual(['/files', true]);
    const operator = await signedIn(rig, 'root-admin');
    expect((await operator.open('/files')).status).toBe(404);
    const visitor = await fetch(new URL('/files/download/a.txt', rig.origin), { redirect: 'manual' });
    expect([visitor.status, visitor.headers.get('Location')]).toEqual([
      303,
      '/login?next=%2Ffiles%2Fdownload%2Fa.txt',
    ]);
  });

  it('has a server that does not answer reads why', async () => {
    const other = await newCustomer(rig);
    rig.node.behaviour.answer = (verb, honest) => (verb === 'open-channel' ? undefined : honest);
    const away = await other.visitor.open('/files');
    expect([away.status, away.text.includes('The server does not answer now.')]).toEqual([503, true]);
  });
});
