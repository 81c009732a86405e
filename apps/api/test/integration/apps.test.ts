import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeZip, waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';

const MiB = 1024 * 1024;
const maxBytes = 220 * MiB;
const dir = mkdtempSync(join(tmpdir(), 'innkeeper-uploads-'));
afterAll(() => rmSync(dir, { recursive: true }));
const rig = useControlPlaneRig({
  uploads: { dir, maxBytes, timeoutMs: 60_000, atOnce: 2, minBytesPerSecond: 0 },
  // As many connections as concurrent uploads: if an upload held a connection, other requests would notice it.
  databasePoolSize: 2,
});
let accountId: number;
beforeEach(async () => {
  accountId = await createAccount();
});

const createAccount = async () => (await rig.createAccount({ max_apps: 3 })).id;

const install = (more: object = {}, token = rig.adminToken) =>
  rig.ask('createApp', {
    token,
    body: { hosting_account_id: accountId, template_key: 'nodejs', name: 'Shop', ...more },
  });
const newApp = async (more: object = {}): Promise<number> => (await install(more)).body.data.id;
const appOfAnotherAccount = async (): Promise<number> =>
  await newApp({ hosting_account_id: await createAccount() });
const show = async (id: number) => (await rig.ask('getApp', { id })).body.data;
const untilStatus = (id: number, status: string) =>
  waitUntil(`status ${status}`, async () => (await show(id)).status === status);

function form(content: Buffer, name = 'archive'): FormData {
  const data = new FormData();
  data.set('note', 'passed over');
  data.set(name, new Blob([new Uint8Array(content)]), 'site.zip');
  return data;
}
const zip = (text = 'hello') => makeZip([{ name: 'index.js', data: text }]);
const deploy = (id: number, body: unknown = form(zip()), more: object = {}) =>
  rig.ask('deployZip', { id, body, ...more });

/** Counts the unlinked files of the upload folder that this process has open. */
async function openUploads(): Promise<number> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.filter((path) => path.startsWith(dir)).length;
}
const nothingLeft = async () => {
  await waitUntil('the upload to be let go', async () => (await openUploads()) === 0);
  expect(await readdir(dir)).toEqual([]);
};

interface Upload {
  asked: ClientRequest;
  answer: Promise<{ status: number; text: string }>;
}

/** Starts a request whose body the test sends step by step. */
function beginUpload(id: number, headers: Record<string, string | number> = {}): Upload {
  const asked = request(`${rig.origin}/api/v1/apps/${id}/deploy-zip`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${rig.adminToken}`,
      'Content-Type': 'multipart/form-data; boundary=cut',
      ...headers,
    },
  });
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
    asked.on('response', async (response) => {
      const text: string[] = [];
      for await (const chunk of response.setEncoding('utf8')) text.push(String(chunk));
      resolve({ status: response.statusCode ?? 0, text: text.join('') });
    });
    asked.on('error', reject);
  });
  answer.catch(() => {});
  return { asked, answer };
}
const partHead = '--cut\r\nContent-Disposition: form-data; name="archive"; filename="a.zip"\r\n\r\n';
const partEnd = '\r\n--cut--\r\n';
const send = (asked: ClientRequest, piece: Buffer | string) =>
  new Promise<void>((resolve, reject) => {
    asked.write(piece, (error) => (error ? reject(error) : resolve()));
  });

describe('the life of an app', () => {
  it('an app goes from installing to running, and is gone when the API answers its removal', async () => {
    const reply = await install({ env: { API_TOKEN: 'hush', GREETING: 'hello\nworld' } });
    expect([reply.status, reply.body.data]).toMatchObject([
      201,
      {
        name: 'Shop',
        template_key: 'nodejs',
        template_name: 'Node.js',
        status: 'installing',
        node_version: '24',
      },
    ]);
    const { id } = reply.body.data;
    await untilStatus(id, 'running');
    expect((await show(id)).env_vars).toMatchObject([
      { key: 'API_TOKEN', value: null, is_secret: true },
      { key: 'GREETING', value: 'hello\nworld', is_secret: false },
      { key: 'NODE_ENV', value: 'production', is_secret: false },
    ]);
    const account = await rig.ask('getAccount', { id: accountId, query: 'include=apps' });
    expect(account.body.data).toMatchObject({
      apps_count: 1,
      apps_limit: 3,
      apps: [{ id, template_name: 'Node.js', status: 'running' }],
    });
    const removed = await rig.ask('removeApp', { id });
    expect([removed.status, removed.body]).toEqual([200, { message: 'App removed' }]);
    expect((await rig.ask('getApp', { id })).status).toBe(404);
    expect((await rig.ask('removeApp', { id })).status).toBe(404);
  });

  it('a suspended account gets 403 before any field is checked', async () => {
    const id = await newApp();
    await rig.ask('suspendAccount', { id: accountId });
    const forbidden = [403, { message: 'This action is unauthorized.' }];
    for (const reply of [
      await install(),
      await install({ name: '' }),
      await deploy(id),
      await rig.ask('deployGit', { id }),
    ])
      expect([reply.status, reply.body]).toEqual(forbidden);
    expect((await rig.ask('getApp', { id })).status).toBe(200);
  });
});

describe('deploying an archive', () => {
  it('the node gets the archive byte by byte, then the control plane keeps nothing of it', async () => {
    const id = await newApp();
    const content = makeZip([{ name: 'data.bin', data: randomBytes(3 * MiB + 7), isStored: true }]);
    const { status, body } = await deploy(id, form(content));
    expect([status, body]).toMatchObject([
      200,
      {
        message: 'Archive uploaded, deploy queued',
        data: { app: { id, release: { source: 'zip' } }, archive_bytes: content.length },
      },
    ]);
    const release = body.data.app.release.id;
    await untilStatus(id, 'running');
    expect(rig.node.archives.get(release)?.equals(content)).toBe(true);
    const chunks = rig.db
      .selectFrom('release_archive_chunks')
      .selectAll()
      .where('account_id', '=', accountId);
    expect(await chunks.execute()).toEqual([]);
    await expect(rig.node.fetchArchive(accountId, release)).rejects.toMatchObject({ code: 5 });
    await nothingLeft();
  });

  it('an Idempotency-Key is bound to the bytes of its archive', async () => {
    const id = await newApp();
    const more = { headers: { 'Idempotency-Key': `deploy-${id}` } };
    const first = await deploy(id, form(zip('one')), more);
    const { release } = first.body.data.app;
    const again = await deploy(id, form(zip('one')), more);
    expect([again.status, again.body, again.headers.get('Idempotent-Replayed')]).toEqual([
      200,
      first.body,
      'true',
    ]);
    const { asked, answer } = beginUpload(id, more.headers);
    asked.end(Buffer.concat([Buffer.from(partHead), zip('one'), Buffer.from(partEnd)]));
    expect((await answer).status, 'another boundary and no other parts').toBe(200);
    const other = await deploy(id, form(zip('two')), more);
    expect([other.status, other.body]).toEqual([
      422,
      { message: 'This Idempotency-Key was used with another request.' },
    ]);
    expect((await deploy(await newApp(), form(zip('one')), more)).status, 'another app').toBe(422);
    expect((await show(id)).release.id).toBe(release.id);
    const releases = rig.db.selectFrom('app_releases').select('id').where('app_id', '=', id);
    expect(await releases.execute()).toEqual([{ id: release.id }]);
    await nothingLeft();
  });

  it('the client can repeat an interrupted upload with its key at once', async () => {
    const id = await newApp();
    const headers = { 'Idempotency-Key': `cut-${id}` };
    const { asked } = beginUpload(id, headers);
    await send(asked, `${partHead}PK`);
    await waitUntil('it to be under way', async () => (await openUploads()) === 1);
    asked.destroy();
    expect((await deploy(id, undefined, { headers })).status).toBe(200);
    await nothingLeft();
  });

  it('a form may arrive byte by byte', async () => {
    const id = await newApp();
    const { asked, answer } = beginUpload(id);
    const whole = Buffer.concat([Buffer.from(partHead), zip(), Buffer.from(partEnd)]);
    for (const byte of whole) asked.write(Buffer.of(byte));
    asked.end('and an end that nobody reads');
    expect((await answer).status).toBe(200);
  });

  it('the API refuses an archive that breaks a rule, with the rule at its field', async () => {
    const id = await newApp();
    const evil = makeZip([{ name: '../../../etc/cron.d/x', data: 'x' }]);
    const { status, body } = await deploy(id, form(evil));
    expect([status, body.errors]).toEqual([
      422,
      {
        archive: [
          'The archive field must not have such an entry: "../../../etc/cron.d/x" has a path with ...',
        ],
      },
    ]);
    expect((await deploy(id, form(Buffer.from('no zip')))).body.errors.archive[0]).toContain(
      'must be a ZIP archive',
    );
    expect((await show(id)).release).toBeNull();
    await nothingLeft();
  });

  it.each<[why: string, body: () => unknown, headers: Record<string, string>, sentence: string]>([
    ['nothing', () => '', {}, 'The archive field is required.'],
    ['JSON', () => ({ archive: 'x' }), {}, 'The archive field is required.'],
    ['another field', () => form(zip(), 'file'), {}, 'The archive field is required.'],
    [
      'a text',
      () => '--b\r\nContent-Disposition: form-data; name="archive"\r\n\r\nx\r\n--b--\r\n',
      { 'Content-Type': 'multipart/form-data; boundary=b' },
      'The archive field must be a file.',
    ],
    [
      'a form without a boundary',
      () => 'x',
      { 'Content-Type': 'multipart/form-data' },
      'The archive field is required.',
    ],
    [
      'a form that breaks off',
      () => '--b\r\nContent-Disposition: form-data; name="archive"; filename="a"\r\n\r\nx',
      { 'Content-Type': 'multipart/form-data; boundary=b' },
      'The archive failed to upload.',
    ],
    [
      'bytes that are no form',
      () => '\0'.repeat(10_000),
      { 'Content-Type': 'multipart/form-data; boundary=b' },
      'The archive failed to upload.',
    ],
  ])('the API refuses %s with its reason', async (_why, body, headers, sentence) => {
    const { status, body: answered } = await deploy(await newApp(), body(), { headers });
    expect([status, answered.errors]).toEqual([422, { archive: [sentence] }]);
    await nothingLeft();
  });

  it('the API refuses a forbidden upload before it reads the body', async () => {
    const long = { 'Content-Length': 100 * MiB };
    const refusals: [number, string | number, Record<string, string>][] = [
      [401, 1, { Authorization: 'Bearer ik_none' }],
      [404, 999_999, {}],
      [413, await newApp(), { 'Content-Length': String(300 * MiB) }],
    ];
    for (const [status, id, headers] of refusals) {
      const { asked, answer } = beginUpload(Number(id), { ...long, ...headers });
      asked.flushHeaders();
      expect((await answer).status).toBe(status);
      asked.destroy();
    }
  });

  it('the API refuses an archive over the limit without a Content-Length, and keeps nothing', async () => {
    const id = await newApp();
    const { asked, answer } = beginUpload(id);
    asked.on('error', () => {});
    await send(asked, partHead);
    const piece = Buffer.alloc(MiB);
    for (let sent = 0; sent <= maxBytes && !asked.destroyed; sent += MiB)
      await Promise.race([send(asked, piece).catch(() => {}), answer.catch(() => {})]);
    expect(await answer).toEqual({ status: 413, text: '{"message":"The POST data is too large."}' });
    await nothingLeft();
  });

  it('an interrupted upload leaves nothing, and the next one works', async () => {
    const id = await newApp();
    const { asked } = beginUpload(id);
    asked.on('error', () => {});
    await send(asked, partHead);
    await send(asked, Buffer.alloc(2 * MiB));
    await waitUntil('the upload to begin', async () => (await openUploads()) === 1);
    asked.destroy();
    await nothingLeft();
    const releases = rig.db.selectFrom('app_releases').selectAll().where('account_id', '=', accountId);
    expect(await releases.execute()).toEqual([]);
    expect((await deploy(id)).status).toBe(200);
  });

  it('uploads hold no database connection, and the API limits concurrent uploads', async () => {
    const id = await newApp();
    const other = await appOfAnotherAccount();
    const slow = [beginUpload(id), beginUpload(other)];
    for (const { asked } of slow) await send(asked, `${partHead}PK`);
    await waitUntil('both to be under way', async () => (await openUploads()) === 2);
    expect((await show(id)).id).toBe(id);
    const third = await deploy(await appOfAnotherAccount());
    expect([third.status, third.headers.get('Retry-After')]).toEqual([503, '10']);
    for (const { asked, answer } of slow) {
      asked.end(partEnd);
      expect((await answer).status).toBe(422);
    }
    await nothingLeft();
    expect((await deploy(id)).status).toBe(200);
  });

  it('an account has one upload at a time, so that its slow uploads leave room for another account', async () => {
    const apps = [await newApp(), await newApp({ name: 'Blog' })] as const;
    const other = await appOfAnotherAccount();
    const trickling = beginUpload(apps[0]);
    await send(trickling.asked, partHead);
    await waitUntil('it to be under way', async () => (await openUploads()) === 1);
    for (const refused of await Promise.all([...apps, ...apps].map((id) => deploy(id)))) {
      expect([refused.status, refused.body, refused.headers.get('Retry-After')]).toEqual([
        429,
        { message: 'Another upload of this account is under way. Try again when it is done.' },
        '10',
      ]);
    }
    expect((await deploy(other)).status).toBe(200);
    const content = zip('the first');
    trickling.asked.end(Buffer.concat([content, Buffer.from(partEnd)]));
    const { data } = JSON.parse((await trickling.answer).text);
    await untilStatus(apps[0], 'running');
    expect(rig.node.archives.get(data.app.release.id)?.equals(content)).toBe(true);
    await nothingLeft();
    expect((await deploy(apps[1])).status).toBe(200);
  });

  it('the API stores 200 MiB with constant memory', async () => {
    const id = await newApp();
    await untilStatus(id, 'running');
    await rig.node.vanish();
    const size = 200 * MiB;
    const claims = { compressedSize: size, uncompressedSize: size };
    const nameLength = 'big.bin'.length;
    const frame = makeZip([{ name: 'big.bin', isStored: true, claims }], { offset: 30 + nameLength + size });
    const piece = randomBytes(MiB);
    const hash = createHash('sha256').update(frame.subarray(0, 30 + nameLength));
    for (let sent = 0; sent < size; sent += MiB) hash.update(piece);
    const sha256 = hash.update(frame.subarray(30 + nameLength)).digest('hex');

    const before = process.memoryUsage().rss;
    let peak = before;
    const sampling = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    const { asked, answer } = beginUpload(id);
    await send(asked, partHead);
    await send(asked, frame.subarray(0, 30 + nameLength));
    for (let sent = 0; sent < size; sent += MiB) await send(asked, piece);
    await send(asked, frame.subarray(30 + nameLength));
    asked.end(partEnd);
    const { status, text } = await answer;
    clearInterval(sampling);
    expect(status, text).toBe(200);
    expect(Math.round((peak - before) / MiB)).toBeLessThan(120);
    const release = JSON.parse(text).data.app.release.id;
    const row = await rig.db
      .selectFrom('app_releases')
      .selectAll()
      .where('id', '=', release)
      .executeTakeFirst();
    expect(row).toMatchObject({ state: 'wanted', archive_sha256: sha256 });
    await nothingLeft();
    await rig.ask('removeApp', { id });
    await rig.db.deleteFrom('release_archive_chunks').where('release_id', '=', release).execute();
    await rig.node.comeBack();
  }, 120_000);
});

describe('fetching an archive', () => {
  let release: number;
  let content: Buffer;
  beforeEach(async () => {
    const id = await newApp();
    await untilStatus(id, 'running');
    rig.node.behaviour.tell = () => undefined;
    content = makeZip([{ name: 'a', data: randomBytes(6 * MiB), isStored: true }]);
    release = (await deploy(id, form(content))).body.data.app.release.id;
  });

  it('the node reads the archive in chunks, as often as it wants', async () => {
    for (const _ of [1, 2]) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of rig.node.streamArchive({ account_id: accountId, release_id: release }))
        chunks.push(chunk);
      expect(chunks.length).toBe(7);
      expect(Buffer.concat(chunks).equals(content)).toBe(true);
    }
  });

  it('the node may stop reading, cancel or exceed its deadline, and fetch again', async () => {
    const wanted = { account_id: accountId, release_id: release };
    for await (const chunk of rig.node.streamArchive(wanted)) {
      expect(chunk.length).toBe(MiB);
      break;
    }
    const cancelling = new AbortController();
    const read = async (options: object) => {
      for await (const chunk of rig.node.streamArchive(wanted, options)) {
        if (chunk.length > 0) cancelling.abort();
      }
    };
    await expect(read({ signal: cancelling.signal })).rejects.toMatchObject({ code: 1 });
    await expect(read({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 1 });
    await expect(read({ deadlineMs: -1 })).rejects.toMatchObject({ code: 4 });
    expect((await rig.node.fetchArchive(accountId, release)).equals(content)).toBe(true);
  });

  it('only the node of the account can fetch it, and only in its newest session', async () => {
    const other = await rig.addNode('other1');
    await expect(other.fetchArchive(accountId, release)).rejects.toMatchObject({ code: 5 });
    await expect(rig.node.fetchArchive(accountId + 1, release)).rejects.toMatchObject({ code: 5 });
    await expect(rig.node.fetchArchive(accountId, release + 1_000)).rejects.toMatchObject({ code: 5 });
    await expect(rig.node.fetchArchive(accountId, 0)).rejects.toMatchObject({ code: 3 });
    const stale = { account_id: accountId, release_id: release, session_id: 'an-older-session-1' };
    const read = async () => {
      for await (const chunk of rig.node.streamArchive(stale)) expect(chunk).toBeUndefined();
    };
    await expect(read()).rejects.toMatchObject({ code: 9 });
    await other.stop();
  });
});
