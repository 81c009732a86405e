import { createHash, randomBytes } from 'node:crypto';
import {
  createApp,
  createDomain,
  deployGit,
  deployZip,
  getApp,
  listReleases,
  readArchive,
  removeApp,
  retryAccount,
  suspendAccount,
  sweepUploads,
  terminateAccount,
  type UploadedArchive,
} from '@innkeeper/services';
import { makeZip, type ZipEntry } from '@innkeeper/testkit';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addOnlineNode, addReseller, reportNewest, rowOf, session_id, specOf } from './fixtures.ts';
import { fresh, meetingPoint, rowsWhere } from './records.ts';
import { expectRefusal, failedPrecondition, forbidden, invalid, refusalOf } from './refusals.ts';

const MiB = 1024 * 1024;
const rig = useDatabaseRig();
const { admin, newAccount, newApp, newestAudit, reportApp } = rig;

function uploaded(content: Buffer): UploadedArchive {
  return {
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    read: async (into, position) => {
      if (position + into.length > content.length) throw new Error('too far');
      into.set(content.subarray(position, position + into.length));
    },
  };
}
const zip = (text = 'hello') => makeZip([{ name: 'index.js', data: text }]);
/** Deploys an archive. Returns the release's id. */
const release = async (app_id: number, content = zip()) =>
  (await deploy(app_id, content)).view.release?.id ?? 0;
const deploy = (app_id: number, content = zip(), ctx = admin()) =>
  deployZip(ctx, { app_id, archive: uploaded(content) });
const releasesOf = (app_id: number) => rowsWhere(rig.db, 'app_releases', { app_id });
const chunksOf = async (account_id: number) =>
  (
    await rig.db
      .selectFrom('release_archive_chunks')
      .select(['release_id', 'sequence', sql<number>`length(data)`.as('bytes')])
      .where('account_id', '=', account_id)
      .orderBy('release_id')
      .orderBy('sequence')
      .execute()
  ).map(({ bytes }) => bytes);

async function fetched(account_id: number, release_id: number, more: object = {}): Promise<Buffer> {
  const { node_id } = await rowOf(rig.db, account_id);
  const chunks: Buffer[] = [];
  const wanted = { node_id, session_id, account_id, release_id, ...more };
  for await (const chunk of readArchive(rig.db, wanted)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
describe('an archive', () => {
  test('is stored in chunks, is wanted by the next generation, and is what the node fetches', async () => {
    const { account_id, app_id } = await newApp();
    const ctx = admin();
    const content = makeZip([{ name: 'big.bin', data: randomBytes(2 * MiB + 5), isStored: true }]);
    const { view, generation } = await deploy(app_id, content, ctx);
    expect(view).toMatchObject({
      status: 'updating',
      release: { id: expect.any(Number), source: 'zip', created_at: expect.any(Date) },
    });
    expect(ctx.wakes).toMatchObject([{ accountId: account_id, generation }]);
    const release_id = view.release?.id ?? 0;
    const sha256 = createHash('sha256').update(content).digest('hex');
    const spec = await specOf(rig.db, account_id);
    expect(spec.generation).toBe(generation);
    expect(spec.apps[0]?.release).toEqual({
      release_id,
      source: 'zip',
      archive_sha256: sha256,
      archive_bytes: content.length,
      git_repository: '',
      git_branch: '',
      git_deploy_key: '',
    });
    expect(await chunksOf(account_id)).toEqual([MiB, MiB, content.length - 2 * MiB]);
    expect((await fetched(account_id, release_id)).equals(content)).toBe(true);
    expect(await newestAudit(account_id)).toMatchObject({
      before: { release_id: null },
      after: { release_id },
      source: 'zip',
    });
  });

  test('is deleted when its node serves it', async () => {
    const { account_id, app_id } = await newApp();
    const release_id = await release(app_id);
    await reportApp({ account_id, app_id }, 'building');
    expect(await chunksOf(account_id)).toHaveLength(1);
    await reportApp({ account_id, app_id }, 'running', release_id);
    expect(await chunksOf(account_id)).toEqual([]);
    expect(await releasesOf(app_id)).toMatchObject([{ state: 'served' }]);
    await expectRefusal(fetched(account_id, release_id), 'not_found');
  });

  test('is deleted when its node refuses it, and the release before still serves', async () => {
    const { account_id, app_id } = await newApp();
    const first = await release(app_id);
    await reportApp({ account_id, app_id }, 'running', first);
    await deploy(app_id);
    await reportApp({ account_id, app_id }, 'failed', first);
    expect((await releasesOf(app_id)).map(({ state }) => state)).toEqual(['served', 'failed']);
    expect(await chunksOf(account_id)).toEqual([]);
    const [row] = await rowsWhere(rig.db, 'apps', { id: app_id });
    expect(row).toMatchObject({ served_release_id: first, status: 'failed' });
  });

  test('goes to no other node, account, session or release', async () => {
    const { account_id, app_id } = await newApp();
    const release_id = await release(app_id);
    const other = await newApp();
    const node_id = await addOnlineNode(rig.db);
    await rig.db.updateTable('nodes').set({ state: 'cordoned' }).where('id', '=', node_id).execute();
    for (const more of [{ node_id }, { account_id: other.account_id }, { release_id: 999_999 }])
      await expectRefusal(fetched(account_id, release_id, more), 'not_found');
    await expectRefusal(
      fetched(account_id, release_id, { session_id: 'another-session-0' }),
      'precondition_failed',
    );
  });

  test('that a later deploy replaces during the fetch ends with not_found, not truncated', async () => {
    const { account_id, app_id } = await newApp();
    const content = makeZip([{ name: 'big.bin', data: randomBytes(2 * MiB), isStored: true }]);
    const release_id = await release(app_id, content);
    const { node_id } = await rowOf(rig.db, account_id);
    const stream = readArchive(rig.db, { node_id, session_id, account_id, release_id });
    expect((await stream.next()).value).toHaveLength(MiB);
    await deploy(app_id);
    await expectRefusal(stream.next(), 'not_found');
  });
});

describe('several deploys', () => {
  test('of two at the same time, the one that commits later is served, and the other archive is deleted', async () => {
    const { account_id, app_id } = await newApp();
    const bothStored = meetingPoint(2);
    const slow = (text: string) => {
      const archive = uploaded(zip(text));
      let reads = 0;
      const read: UploadedArchive['read'] = async (into, position) => {
        reads += 1;
        if (reads === 2) await bothStored();
        await archive.read(into, position);
      };
      return deployZip(admin(), { app_id, archive: { ...archive, read } });
    };
    const both = await Promise.all([slow('one'), slow('two')]);
    const later = both.reduce((a, b) => (a.generation > b.generation ? a : b)).view.release?.id;
    const app = await getApp(admin(), { app_id });
    expect(app.release?.id).toBe(later);
    const states = Object.fromEntries((await releasesOf(app_id)).map(({ id, state }) => [id, state]));
    expect(Object.values(states).sort()).toEqual(['superseded', 'wanted']);
    expect(states[later ?? 0]).toBe('wanted');
    expect(await chunksOf(account_id)).toHaveLength(1);
  });

  test('a report about an older generation does not change the newest deploy', async () => {
    const { account_id, app_id } = await newApp();
    const { generation } = await rowOf(rig.db, account_id);
    await deploy(app_id);
    await reportNewest(rig.db, account_id, {
      observed_generation: generation,
      apps: [{ app_id, status: 'failed', reason: 'old', release_id: null }],
    });
    expect((await getApp(admin(), { app_id })).status).toBe('updating');
    expect(await releasesOf(app_id)).toMatchObject([{ state: 'wanted' }]);
  });

  test('the progress of a build is shown with each report, also before the generation is applied', async () => {
    const { account_id, app_id } = await newApp();
    const release_id = await release(app_id);
    const seen: string[] = [];
    for (const status of ['installing', 'building', 'starting'] as const) {
      await reportNewest(rig.db, account_id, {
        outcome: 'progressing',
        apps: [{ app_id, status, reason: '', release_id: null }],
      });
      seen.push((await getApp(admin(), { app_id })).status);
    }
    await reportApp({ account_id, app_id }, 'failed');
    seen.push((await getApp(admin(), { app_id })).status);
    await reportApp({ account_id, app_id }, 'running', release_id);
    seen.push((await getApp(admin(), { app_id })).status);
    expect(seen).toEqual(['installing', 'building', 'starting', 'failed', 'running']);
  });

  test('the reason of a failure is shown as the last error, with the end of the log', async () => {
    const { account_id, app_id } = await newApp();
    const reason = 'The build ended with 1.\nnpm ERR! missing script: build';
    await reportNewest(rig.db, account_id, {
      apps: [{ app_id, status: 'failed', reason, release_id: null }],
    });
    expect(await getApp(admin(), { app_id })).toMatchObject({ status: 'failed', last_error: reason });
    await deploy(app_id);
    expect(await getApp(admin(), { app_id })).toMatchObject({ status: 'updating', last_error: null });
  });

  test('another try of the account is one for its failed apps only, and their release from Git is wanted again', async () => {
    const git = { git: { repository: 'https://git.example.com/shop.git', branch: 'main', deploy_key: null } };
    const { account_id, app_id } = await newApp(git);
    const { view: other } = await createApp(admin(), {
      ...{ hosting_account_id: account_id, template_key: 'nodejs', name: 'Good', env: new Map() },
    });
    const release_id = (await getApp(admin(), { app_id })).release?.id ?? 0;
    await reportNewest(rig.db, account_id, {
      apps: [
        { app_id, status: 'failed', reason: 'No.', release_id: null },
        { app_id: other.id, status: 'running', reason: '', release_id: null },
      ],
    });
    expect(await releasesOf(app_id)).toMatchObject([{ state: 'failed' }]);
    await retryAccount(admin(), { account_id });
    expect((await specOf(rig.db, account_id)).apps).toMatchObject([{ app_id, retries: 1 }, { retries: 0 }]);
    expect(await releasesOf(app_id)).toMatchObject([{ state: 'wanted' }]);
    await reportApp({ account_id, app_id }, 'running', release_id);
    expect(await releasesOf(app_id)).toMatchObject([{ state: 'served' }]);
    await retryAccount(admin(), { account_id });
    expect((await specOf(rig.db, account_id)).apps).toMatchObject([{ retries: 1 }, { retries: 0 }]);
  });

  test('the commit of a Git deploy is stored with its release once, and not with a release of another app', async () => {
    const git = { git: { repository: 'https://git.example.com/shop.git', branch: 'main', deploy_key: null } };
    const one = await newApp(git);
    const other = await newApp(git);
    const releaseOf = async ({ app_id }: { app_id: number }) =>
      (await getApp(admin(), { app_id })).release?.id ?? 0;
    const commit = {
      release_id: await releaseOf(one),
      hash: 'd'.repeat(40),
      author: 'Zoë',
      subject: 'a\u202eb',
    };
    const report = (app: typeof one, told: Partial<typeof commit> = {}) =>
      reportNewest(rig.db, app.account_id, {
        apps: [
          {
            app_id: app.app_id,
            status: 'running',
            reason: '',
            release_id: commit.release_id,
            commit: { ...commit, ...told },
          },
        ],
      });
    await report(other);
    expect(await releasesOf(other.app_id)).toMatchObject([{ commit_hash: null }]);
    await report(one);
    const [stored] = await listReleases(admin(), { app_id: one.app_id });
    expect(stored).toMatchObject({
      commit_hash: commit.hash,
      commit_author: 'Zoë',
      commit_subject: 'ab',
      is_serving: true,
    });
    await report(one, { subject: 'changed' });
    expect(await releasesOf(one.app_id)).toMatchObject([{ commit_subject: 'ab' }]);
  });

  test('a node cannot claim a release of another app', async () => {
    const one = await newApp();
    const release_id = await release(one.app_id);
    const other = await newApp();
    await reportApp(other, 'running', release_id);
    const [row] = await rowsWhere(rig.db, 'apps', { id: other.app_id });
    expect(row?.served_release_id).toBeNull();
    expect(await releasesOf(one.app_id)).toMatchObject([{ state: 'wanted' }]);
  });
});

describe('refusals', () => {
  const folder = 0o040755;
  const attacks: [why: string, content: () => Buffer, says: string][] = [
    ['nothing', () => Buffer.alloc(0), 'ZIP archive'],
    ['text', () => Buffer.from('not a zip at all, but long enough to be one'), 'ZIP archive'],
    ['half an archive', () => zip().subarray(0, 60), 'ZIP archive'],
    ['an archive without its first half', () => zip().subarray(50), 'ZIP archive'],
    ['an empty archive', () => makeZip([]), 'at least one entry'],
    ['a directory elsewhere', () => makeZip([{ name: 'a' }], { offset: 0xffff_fff0 }), 'ZIP archive'],
    ['a directory in the data', () => makeZip([{ name: 'a' }], { offset: 1 }), 'ZIP archive'],
    ['more entries than there are', () => makeZip([{ name: 'a' }], { entries: 2 }), 'ZIP archive'],
    ['a link', () => makeZip([{ name: 'a', data: '/etc/passwd', mode: 0o120777 }]), 'is a link'],
    ['a device', () => makeZip([{ name: 'a', mode: 0o020666 }]), 'is a device'],
    ['a setuid folder that is none', () => makeZip([{ name: 'a', mode: folder }]), 'without a slash'],
    ['an absolute path', () => makeZip([{ name: '/etc/cron.d/x', data: 'x' }]), 'absolute path'],
    ['a way up', () => makeZip([{ name: 'a/../../../etc/passwd', data: 'x' }]), 'path with ..'],
    ['a backslash', () => makeZip([{ name: '..\\..\\x', data: 'x' }]), 'backslash'],
    ['a NUL', () => makeZip([{ name: 'index.php\0.txt', data: 'x' }]), 'control characters'],
    [
      'bytes that are no text',
      () => makeZip([{ name: Buffer.from([0xff, 0xfe, 0x41]) }]),
      'control characters',
    ],
    [
      'two of one name',
      () =>
        makeZip([
          { name: 'a', data: '1' },
          { name: 'a', data: '2' },
        ]),
      'is there twice',
    ],
    [
      'a file as a folder',
      () =>
        makeZip([
          { name: 'a', data: '1' },
          { name: 'a/b', data: '2' },
        ]),
      'is a file',
    ],
    ['an encrypted file', () => makeZip([{ name: 'a', data: 'x', flags: 0x0801 }]), 'encrypted'],
    ['strong encryption', () => makeZip([{ name: 'a', data: 'x', flags: 0x0841 }]), 'ZIP archive'],
    ['another compression', () => makeZip([{ name: 'a', data: 'x', method: 14 }]), 'deflate'],
    ['a bomb', () => makeZip([{ name: 'a', data: Buffer.alloc(8 * MiB) }]), '100 times'],
    [
      'a claim of gigabytes',
      () => makeZip([{ name: 'a', data: randomBytes(100), claims: { uncompressedSize: 0xffff_fff0 } }]),
      '100 times',
    ],
    [
      'entries on top of each other',
      () =>
        makeZip([
          { name: 'a', data: randomBytes(900), isStored: true },
          { name: 'b', isStored: true, claims: { offset: 0, compressedSize: 900, uncompressedSize: 900 } },
        ]),
      'share their data',
    ],
    [
      'too many entries',
      () => makeZip(Array.from({ length: 20_001 }, (_, n): ZipEntry => ({ name: `${n}`, isStored: true }))),
      '20000 entries',
    ],
    [
      'a size beyond all numbers',
      () => {
        const extra = Buffer.alloc(20, 0xff);
        extra.writeUInt16LE(1, 0);
        extra.writeUInt16LE(16, 2);
        const claims = { compressedSize: 0xffff_ffff, uncompressedSize: 0xffff_ffff };
        return makeZip([{ name: 'a', data: 'x', extra, claims }]);
      },
      'archive field',
    ],
    [
      'an end of the directory at a position that is none',
      () => {
        const locator = Buffer.alloc(20, 0xff);
        locator.writeUInt32LE(0x07064b50, 0);
        const whole = zip();
        return Buffer.concat([whole.subarray(0, -22), locator, whole.subarray(-22)]);
      },
      'ZIP archive',
    ],
  ];
  let app: { account_id: number; app_id: number };
  beforeAll(async () => {
    app = await newApp();
  });

  test.each(attacks)(
    '%s: the refusal is at the archive field, and nothing is stored',
    async (_why, content, says) => {
      const refusal = await refusalOf(deploy(app.app_id, content()));
      expect(refusal).toMatchObject(invalid({ archive: expect.stringContaining(says) }));
      expect(await releasesOf(app.app_id)).toEqual([]);
    },
  );

  test('an archive with random changes is either accepted or refused, with no other error', async () => {
    const good = makeZip([
      { name: 'a/', isStored: true },
      { name: 'a/b.txt', data: 'text '.repeat(10) },
      { name: 'c.bin', data: randomBytes(64), isStored: true },
    ]);
    const { app_id } = await newApp();
    const flips = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(flips, fc.nat(good.length), async (bytes, cut) => {
        const bad = Buffer.from(good);
        for (const [at, value] of bytes) bad[at] = value;
        const archive = uploaded(cut % 4 === 0 ? bad.subarray(0, cut) : bad);
        const ctx = { ...admin(), db: refusingToStore() };
        const outcome = await refusalOf(deployZip(ctx, { app_id, archive }));
        const { code, message } = outcome as { code?: string; message?: string };
        expect(code === 'invalid' || message === STORED, JSON.stringify(outcome)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('apps that manage their own files, apps that are being removed, and accounts that are not active', async () => {
    const account_id = await newAccount();
    const domain = (
      await createDomain(admin(), { hosting_account_id: account_id, domain_name: `${fresh('wp')}.example` })
    ).view;
    const wordpress = await createApp(admin(), {
      hosting_account_id: account_id,
      template_key: 'wordpress',
      name: 'Blog',
      domain_id: domain.id,
      env: new Map(),
    });
    await expectRefusal(
      deploy(wordpress.view.id),
      failedPrecondition('Archives can only be deployed to php, nodejs and static apps.'),
    );
    const gone = await newApp();
    await removeApp(admin(), { app_id: gone.app_id });
    await expectRefusal(deploy(gone.app_id), { message: 'This app is being removed.' });
    const still = await newApp();
    await suspendAccount(admin(), { account_id: still.account_id });
    for (const work of [() => deploy(still.app_id), () => deployGit(admin(), { app_id: still.app_id })])
      await expectRefusal(work(), forbidden('This action is unauthorized.'));
    await terminateAccount(admin(), { account_id: still.account_id });
    await expectRefusal(deploy(still.app_id), 'precondition_failed');
    const acme = await addReseller(rig.db);
    await expectRefusal(deploy(app.app_id, zip(), acme), 'not_found');
  });
});

const STORED = 'It came to be stored.';

/** Returns a database in which every insert fails with `STORED`: an archive without a defect ends with that error. */
function refusingToStore() {
  return new Proxy(rig.db, {
    get: (db, name) => {
      const value: unknown = Reflect.get(db, name);
      if (name !== 'insertInto') return typeof value === 'function' ? value.bind(db) : value;
      return () => {
        throw new Error(STORED);
      };
    },
  });
}

describe('interruptions', () => {
  test('an upload leaves nothing when reading the archive fails', async () => {
    const { account_id, app_id } = await newApp();
    const archive = uploaded(makeZip([{ name: 'a', data: randomBytes(2 * MiB), isStored: true }]));
    const flaky: UploadedArchive['read'] = async (into, position) => {
      if (position === MiB) throw new Error('The disk is gone.');
      await archive.read(into, position);
    };
    await expectRefusal(deployZip(admin(), { app_id, archive: { ...archive, read: flaky } }), {
      message: 'The disk is gone.',
    });
    expect(await releasesOf(app_id)).toEqual([]);
    expect(await chunksOf(account_id)).toEqual([]);
    expect((await getApp(admin(), { app_id })).release).toBeNull();
  });

  test('an upload leaves nothing when the app is removed at the same time', async () => {
    const { account_id, app_id } = await newApp();
    const archive = uploaded(zip());
    let reads = 0;
    const read: UploadedArchive['read'] = async (into, position) => {
      reads += 1;
      if (reads === 2) await removeApp(admin(), { app_id });
      await archive.read(into, position);
    };
    await expectRefusal(deployZip(admin(), { app_id, archive: { ...archive, read } }), {
      message: 'This app is being removed.',
    });
    expect(await releasesOf(app_id)).toEqual([]);
    expect(await chunksOf(account_id)).toEqual([]);
  });

  test('an upload whose process ended is deleted after an hour; uploads in progress and wanted releases stay', async () => {
    const { account_id, app_id } = await newApp();
    await deploy(app_id);
    const begin = async (minutesAgo: number) => {
      const at = new Date(Date.now() - minutesAgo * 60_000);
      const { insertId } = await rig.db
        .insertInto('app_releases')
        .values({
          account_id,
          app_id,
          source: 'zip',
          state: 'uploading',
          archive_sha256: null,
          archive_bytes: 1,
          created_at: at,
          updated_at: at,
        })
        .executeTakeFirstOrThrow();
      const chunk = { account_id, sequence: 0, data: Buffer.from('x') };
      await rig.db
        .insertInto('release_archive_chunks')
        .values({ ...chunk, release_id: Number(insertId) })
        .execute();
    };
    await begin(61);
    await begin(59);
    await rig.db
      .insertInto('release_archive_chunks')
      .values({ account_id, release_id: 987_654, sequence: 0, data: Buffer.from('lost') })
      .execute();
    const sweep = () => sweepUploads(rig.db, { now: new Date(), limit: 100 });
    expect(await sweep()).toBe(2);
    expect(await sweep()).toBe(0);
    expect((await releasesOf(app_id)).map(({ state }) => state)).toEqual(['wanted', 'uploading']);
    expect(await chunksOf(account_id)).toHaveLength(2);
  });
});

describe('Git', () => {
  test('makes a new release for each deploy, and the newest is wanted', async () => {
    const git = { repository: 'https://git.example.com/a/b', branch: 'live', deploy_key: null };
    const { account_id, app_id } = await newApp({ git });
    const ctx = admin();
    const { view, generation } = await deployGit(ctx, { app_id });
    expect(view).toMatchObject({ status: 'updating', release: { source: 'git' }, git: { branch: 'live' } });
    expect(ctx.wakes).toMatchObject([{ generation }]);
    expect((await releasesOf(app_id)).map(({ state }) => state)).toEqual(['superseded', 'wanted']);
    const spec = await specOf(rig.db, account_id);
    expect(spec.apps[0]?.release).toMatchObject({
      release_id: view.release?.id,
      source: 'git',
      git_repository: git.repository,
      git_branch: 'live',
      git_deploy_key: '',
    });
  });

  test('is refused for an app without a repository', async () => {
    const { app_id } = await newApp();
    await expectRefusal(
      deployGit(admin(), { app_id }),
      failedPrecondition('Git deploy is not configured for this app.'),
    );
  });
});
