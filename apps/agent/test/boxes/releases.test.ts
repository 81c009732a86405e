import { makeZip } from '@innkeeper/testkit';
import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domainOf } from '../specs.ts';
import type { AgentBox } from './agent-box.ts';
import { type DeployBox, startDeployBox } from './deploy-box.ts';
import { appOf, type Deploys } from './deploys.ts';
import type { GitOverHttps } from './git-over-https.ts';
import { findRemains } from './remains.ts';
import { visit } from './site.ts';

/** Files of apps on a real server: starters, archives, builds, Git, rollback, and what is left after their removal. */
let rig: DeployBox;
let server: AgentBox;
let box: Box;
let git: GitOverHttps;
let deploys: Deploys;

/** npm is slow on a busy machine. */
const A_BUILD = { timeoutMs: 60_000 };
const HOME = '/home/deployer';
const PHP = 1;
const STATIC = 2;
const NODE = 3;
const site = async (name: string, path = '/') => await visit(box.address, `${name}.example.com`, path);
const list = async (path: string) => (await box.exec(['ls', '-A', path])).stdout.split('\n').filter(Boolean);
const tasks = async () =>
  (await box.require(['systemctl', 'list-units', '--plain', '--no-legend', 'innkeeper-task-*'])).trim();
const zip = (files: Record<string, string>) =>
  makeZip(Object.entries(files).map(([name, data]) => ({ name, data })));
const page = (text: string) => zip({ 'index.html': text });
const withExpress = {
  name: 'shop',
  version: '1.0.0',
  dependencies: { express: '4' },
  scripts: { build: 'node build.js' },
};
/** Its build runs until a file is removed. */
const slow = (mark: string) =>
  zip({
    'package.json': JSON.stringify({ name: 'slow', version: '1.0.0', scripts: { build: 'node build.js' } }),
    'build.js': `const fs = require('fs');
      fs.writeFileSync('${HOME}/${mark}', '');
      while (fs.existsSync('${HOME}/${mark}')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      fs.writeFileSync('built', '${mark}');`,
  });
const exists = async (path: string) => (await box.exec(['test', '-e', path])).exitCode === 0;
const killAgent = () => box.require(['systemctl', 'kill', '--signal=SIGKILL', 'innkeeper-agent']);

beforeAll(async () => {
  rig = await startDeployBox('releases', {
    domains: [domainOf(1, 'php.example.com'), domainOf(2, 'static.example.com', { is_primary: false })],
    files: { 'package.json': '{"name":"h","version":"1.0.0"}' },
  });
  ({ server, deploys, git } = rig);
  box = server.box;
  expect(await server.settle(deploys.spec)).toMatchObject({ outcome: 'applied' });
}, 180_000);

afterAll(async () => {
  await rig?.remove();
});

describe('an app without a deploy', () => {
  test('shows the page “This app is ready.”', async () => {
    deploys.want({
      apps: [
        appOf({ app_id: PHP, runtime: 'php', template_key: 'php', domain_id: 1 }),
        appOf({ app_id: STATIC, domain_id: 2 }),
      ],
    });
    expect(await deploys.settled(PHP, 'running')).toMatchObject({ release_id: '0' });
    await deploys.settled(STATIC, 'running');
    expect((await site('php')).body).toContain('It runs PHP 8');
    expect((await site('static')).body).toContain('This app is ready.');
    // A status that ends before a report is sent is never reported.
    expect(['installing', 'running']).toEqual(expect.arrayContaining(deploys.statusesOf(PHP)));
  });
});

describe('an archive', () => {
  test('replaces a PHP site and a static site, and strips its single top folder', async () => {
    const php = deploys.deploy(
      PHP,
      zip({ 'site-1.0/index.php': '<?php echo "php ", 6 * 7;', 'site-1.0/.hidden': 'x' }),
    );
    expect(await deploys.settled(PHP, 'running')).toMatchObject({ release_id: `${php}`, reason: '' });
    expect(['updating', 'running']).toEqual(expect.arrayContaining(deploys.statusesOf(PHP)));
    const files = deploys.deploy(STATIC, page('one'));
    expect(await deploys.settled(STATIC, 'running')).toMatchObject({ release_id: `${files}` });
    expect((await site('php')).body).toBe('php 42');
    expect((await site('static')).body).toBe('one');
    expect(await list('/var/lib/innkeeper/agent/archives')).toEqual([]);
    expect(await tasks()).toBe('');
  });

  test.each([
    ['with a link', makeZip([{ name: 'a', data: '/etc/passwd', mode: 0o120777 }]), 'is a link'],
    ['that leads out', makeZip([{ name: '../a', data: 'x' }]), 'has a path with ..'],
    ['that is none', Buffer.from('no archive'), 'cannot be read'],
    [
      'whose entry is larger than it says',
      makeZip([{ name: 'a', data: 'x'.repeat(9_000), claims: { uncompressedSize: 10 } }]),
      /larger|too many bytes/,
    ],
  ])('%s is refused with an explanation, and the previous release serves', async (_, archive, sentence) => {
    const before = deploys.spec.apps.find(({ app_id }) => app_id === STATIC)!;
    const served = (await site('static')).body;
    deploys.deploy(STATIC, archive);
    expect(await deploys.settled(STATIC, 'failed')).toMatchObject({
      reason: expect.stringMatching(sentence),
      release_id: `${before.release!.release_id}`,
    });
    expect((await site('static')).body).toBe(served);
    deploys.wantApp(STATIC, before);
    await deploys.settled(STATIC, 'running');
  });

  test('with another checksum is refused', async () => {
    const before = deploys.spec.apps.find(({ app_id }) => app_id === STATIC)!;
    const id = deploys.deploy(STATIC, page('one'));
    server.controlPlane.holdArchive(id, page('two'));
    deploys.wantApp(STATIC, {});
    const { reason } = await deploys.settled(STATIC, 'failed');
    expect(reason).toContain('not the one that was uploaded');
    deploys.wantApp(STATIC, before);
    await deploys.settled(STATIC, 'running');
  });

  test('of the fourth deploy removes the first release, and a rollback to a kept release fetches nothing', async () => {
    const first = deploys.spec.apps.find(({ app_id }) => app_id === STATIC)!;
    const later = [];
    for (const text of ['two', 'three', 'four']) {
      const id = deploys.deploy(STATIC, page(text));
      await deploys.settled(STATIC, 'running');
      expect((await site('static')).body).toBe(text);
      server.controlPlane.holdArchive(id);
      later.push(deploys.spec.apps.find(({ app_id }) => app_id === STATIC)!);
    }
    const ids = later.map(({ release }) => `${release!.release_id}`);
    expect(await list(`${HOME}/apps/${STATIC}/releases`)).toEqual(['0', ...ids]);
    deploys.wantApp(STATIC, later[0]!);
    expect(await deploys.settled(STATIC, 'running')).toMatchObject({ release_id: ids[0] });
    expect((await site('static')).body).toBe('two');
    server.controlPlane.holdArchive(first.release!.release_id);
    deploys.wantApp(STATIC, first);
    expect(await deploys.settled(STATIC, 'failed')).toMatchObject({
      reason: expect.stringContaining('Deploy it again'),
      release_id: ids[0],
    });
    deploys.wantApp(STATIC, later[2]!);
    await deploys.settled(STATIC, 'running');
  });

  test('is fetched again when the serving release is lost', async () => {
    const { release } = deploys.spec.apps.find(({ app_id }) => app_id === STATIC)!;
    server.controlPlane.holdArchive(release!.release_id, page('four'));
    await box.require(['rm', '-r', `${HOME}/apps/${STATIC}/releases/${release!.release_id}`]);
    await box.require(['systemctl', 'reload', 'innkeeper-agent']);
    await waitUntil('the site', async () => (await site('static')).body === 'four', { timeoutMs: 30_000 });
  });
});

describe('a Node.js app', () => {
  const env = [
    { name: 'GREETING', value: 'Good morning', is_secret: false },
    { name: 'NODE_ENV', value: 'production', is_secret: false },
    { name: 'API_TOKEN', value: 'hush-hush-1', is_secret: true },
  ];
  const current = (file: string) => box.exec(['cat', `${HOME}/apps/${NODE}/current/${file}`]);

  test('is built in the slice, with its packages and variables', async () => {
    deploys.wantApp(NODE, { runtime: 'nodejs', template_key: 'nodejs', node_version: '22', env });
    const archive = zip({
      'package.json': JSON.stringify(withExpress),
      'build.js': `const { writeFileSync, readFileSync } = require('fs');
        const { version } = require('express/package.json');
        const cgroup = readFileSync('/proc/self/cgroup', 'utf8');
        writeFileSync('built', [version, process.env.GREETING, process.version, __dirname, cgroup].join('\\n'));`,
    });
    const id = deploys.deploy(NODE, archive);
    await deploys.settled(NODE, 'running', 150_000);
    expect(deploys.statusesOf(NODE)).toContain('building');
    const { stdout } = await current('built');
    expect(stdout).toMatch(/^4\.[\d.]+\nGood morning\nv22\./);
    expect(stdout).toContain(`\n${HOME}/apps/${NODE}/releases/${id}\n`);
    expect(stdout).toContain('/user.slice/user-20001.slice/');
    expect(rig.registry.requests.some((path) => path.startsWith('/express'))).toBe(true);
  }, 180_000);

  test('whose build fails shows the end of its log, and the previous release keeps serving', async () => {
    const { stdout: before } = await current('built');
    deploys.deploy(
      NODE,
      zip({
        'package.json': JSON.stringify({ name: 'x', version: '1.0.0', scripts: { build: 'node build.js' } }),
        'build.js': 'console.log("token " + process.env.API_TOKEN); console.log("no luck"); process.exit(3);',
      }),
    );
    const { reason } = await deploys.settled(NODE, 'failed');
    expect(reason).toMatch(/^npm run build failed with exit code 3\.\n/);
    expect(reason).toContain('token ***\nno luck');
    expect((await current('built')).stdout).toBe(before);
    expect(await box.require(['cat', `${HOME}/logs/app-${NODE}-build.log`])).toContain('no luck');
  });

  test('is built once, even if the agent is killed', async () => {
    deploys.deploy(NODE, slow('killed'));
    await deploys.settled(NODE, 'building', 60_000);
    await waitUntil('the build', () => exists(`${HOME}/killed`), A_BUILD);
    const before = await box.require(['systemctl', 'show', '-P', 'MainPID', `innkeeper-task-20001-${NODE}`]);
    await killAgent();
    await box.require(['innkeeper-agent', 'status', '--wait', '30']);
    expect(await box.require(['systemctl', 'show', '-P', 'MainPID', `innkeeper-task-20001-${NODE}`])).toBe(
      before,
    );
    await box.require(['rm', `${HOME}/killed`]);
    await waitUntil('the release', async () => (await current('built')).stdout === 'killed', A_BUILD);
    await deploys.settled(NODE, 'running');
    expect(await tasks()).toBe('');
  });

  test('leaves no process when it is suspended during its build, and is built later', async () => {
    deploys.deploy(NODE, slow('suspended'));
    await waitUntil('the build', () => exists(`${HOME}/suspended`), A_BUILD);
    deploys.want({ desired_state: 'suspended' });
    await deploys.settled(NODE, 'stopped');
    expect((await box.exec(['pgrep', '--uid', '20001'])).stdout).toBe('');
    expect(await tasks()).toBe('');
    await box.require(['rm', `${HOME}/suspended`]);
    deploys.want({ desired_state: 'active' });
    await waitUntil('the build', () => exists(`${HOME}/suspended`), A_BUILD);
    await box.require(['rm', `${HOME}/suspended`]);
    await deploys.settled(NODE, 'running');
    expect((await current('built')).stdout).toBe('suspended');
  });

  test('is not built longer than the timeout', async () => {
    const before = await current('built');
    await server.configure({ INNKEEPER_BUILD_TIMEOUT_S: 10 });
    deploys.deploy(NODE, slow('endless'));
    const { reason } = await deploys.settled(NODE, 'failed', 90_000);
    expect(reason).toMatch(/^The task timed out after 10 s\./);
    await server.configure({ INNKEEPER_BUILD_TIMEOUT_S: 900 });
    expect((await current('built')).stdout).toBe(before.stdout);
    expect(await tasks()).toBe('');
  });
});

describe('a repository', () => {
  test('is cloned over SSH with a deploy key that is stored nowhere', async () => {
    const bare = '/home/gitserver/app.git';
    await box.require(['useradd', '--uid', '1700', '--create-home', 'gitserver']);
    await box.require([
      'sh',
      '-c',
      'ssh-keygen -q -t ed25519 -N "" -f /root/deploy && install -d -o gitserver -m 700 /home/gitserver/.ssh && install -o gitserver -m 600 /root/deploy.pub /home/gitserver/.ssh/authorized_keys',
    ]);
    const commands = [
      'git init -q -b main work',
      'cd work',
      'git config user.email a@example.com',
      `git config user.name 'Zoë <Ünal>'`,
      `printf '{"name":"g","version":"1.0.0"}' > package.json`,
      'git add .',
      `git commit -qm 'Open the shop' -m 'More words.'`,
      `git clone -q --bare . ${bare}`,
    ];
    await box.require(['su', '-s', '/bin/sh', 'gitserver', '-c', `cd && ${commands.join(' && ')}`]);
    const key = await box.require(['cat', '/root/deploy']);
    await box.require(['rm', '/root/deploy']);
    const id = deploys.deployGit(NODE, `ssh://gitserver@${box.address}${bare}`, 'main', key);
    expect(await deploys.settled(NODE, 'running', 90_000)).toMatchObject({
      release_id: `${id}`,
      commit: {
        release_id: `${id}`,
        hash: (await box.require(['git', '-c', 'safe.directory=*', '-C', bare, 'rev-parse', 'main'])).trim(),
        // Git itself removes the brackets.
        author: 'Zoë Ünal',
        subject: 'Open the shop',
      },
    });
    expect((await box.require(['cat', `${HOME}/apps/${NODE}/current/package.json`])).trim()).toBe(
      '{"name":"g","version":"1.0.0"}',
    );
    expect(await exists(`${HOME}/apps/${NODE}/current/.git`)).toBe(false);
    expect(await box.require(['cat', `${HOME}/apps/${NODE}/.ssh/known_hosts`])).toContain(box.address);
    const line = key.split('\n')[2]!;
    const places = [HOME, '/tmp', '/var/tmp', '/run', '/etc', '/var/lib/innkeeper/agent/tasks', '/root'];
    const { stdout } = await box.exec(['grep', '-rlsF', '--', line, ...places]);
    expect(stdout).toBe('');
  }, 120_000);

  test('is cloned over HTTPS, and a redirect is not followed', async () => {
    const id = deploys.deployGit(NODE, `${git.url}app.git`, 'main', '');
    expect(await deploys.settled(NODE, 'running', 90_000)).toMatchObject({ release_id: `${id}` });
    expect(await box.require(['cat', `${HOME}/apps/${NODE}/current/package.json`])).toContain('"h"');
    deploys.deployGit(NODE, `${git.url}moved.git`, 'main', '');
    const { reason } = await deploys.settled(NODE, 'failed', 90_000);
    expect(reason).toMatch(/^The repository could not be cloned\.\n.*302/s);
  }, 200_000);

  test('at a private address is not contacted', async () => {
    deploys.deployGit(NODE, 'ssh://git@127.0.0.1/home/gitserver/app.git', 'main', 'none');
    const { reason } = await deploys.settled(NODE, 'failed');
    expect(reason).toContain('127.0.0.1 is not at a public address.');
  });
});

describe('removals', () => {
  test('an app is removed with its releases, and its domain has a plain folder again', async () => {
    deploys.wantApp(STATIC, { desired_state: 'absent' });
    await deploys.settled(STATIC, 'absent');
    expect(await exists(`${HOME}/apps/${STATIC}`)).toBe(false);
    expect(await list(`${HOME}/domains/static.example.com/public_html`)).toEqual(['innkeeper-welcome.php']);
    expect(await box.require(['find', '/var/lib/innkeeper/agent/apps', '-name', `${STATIC}.json`])).toBe('');
    deploys.want({ apps: deploys.spec.apps.filter(({ app_id }) => app_id !== STATIC) });
    await waitUntil('the site', async () => (await site('static')).status === 200);
  });

  test('existing files in the folder of a new app are kept', async () => {
    const root = `${HOME}/domains/static.example.com/public_html`;
    await box.require(['sh', '-c', `echo mine > ${root}/mine.html; chown 20001 ${root}/mine.html`]);
    deploys.wantApp(4, { domain_id: 2 });
    await deploys.settled(4, 'running');
    expect((await site('static', '/mine.html')).body).toBe('mine\n');
    deploys.deploy(4, page('new'));
    await deploys.settled(4, 'running');
    expect((await site('static')).body).toBe('new');
    expect(await list(`${HOME}/apps/4/releases/0`)).toContain('mine.html');
  });

  test('nothing is left of an account that is removed during a build', async () => {
    deploys.deploy(NODE, slow('gone'));
    await waitUntil('the build', () => exists(`${HOME}/gone`), A_BUILD);
    deploys.want({ desired_state: 'absent' });
    await waitUntil(
      'the account to be gone',
      () =>
        server.controlPlane.reportOf(deploys.spec.account_id, deploys.spec.generation)?.outcome === 'absent',
      { timeoutMs: 60_000 },
    );
    expect(await findRemains(box, deploys.spec, [])).toEqual([]);
  });
});
