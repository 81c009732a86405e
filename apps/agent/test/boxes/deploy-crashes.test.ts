import { setTimeout as sleep } from 'node:timers/promises';
import { makeZip } from '@innkeeper/testkit';
import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { nodeApp, specOf } from '../specs.ts';
import { asAccount } from './account-session.ts';
import type { AgentBox } from './agent-box.ts';
import { crashSteps } from './crash-steps.ts';
import { type DeployBox, startDeployBox } from './deploy-box.ts';
import type { Deploys } from './deploys.ts';
import type { GitOverHttps } from './git-over-https.ts';
import { visit } from './site.ts';

/**
 * The agent is killed in every phase of a deploy and of a rollback, and after single changes of them (crash-steps.ts).
 * The served release stays until the wanted release serves, which always happens in the end, and nothing of the rest is
 * left.
 */
let rig: DeployBox;
let server: AgentBox;
let box: Box;
let git: GitOverHttps;
let deploys: Deploys;

const APP = 1;
const HOME = '/home/deployer';
const FOLDER = `${HOME}/apps/${APP}`;
const TASK = 'innkeeper-task-20001-1.service';
const STATE = '/var/lib/innkeeper/agent';
const LONG = { timeoutMs: 90_000 };
const MINUTES = 60_000;
/** For loops that repeat until no change is left after which to kill the agent. Long enough for a busy machine. */
const LOOP_MS = 30 * MINUTES;
/** More than any deploy makes. */
const MOST_CHANGES = 60;

/** An app that waits in a phase while a file exists, and answers with the word of its release. */
const filesOf = (word: string): Record<string, string> => ({
  'package.json': JSON.stringify({
    name: 'word',
    version: '1.0.0',
    scripts: { preinstall: 'node pause.js install', build: 'node pause.js build' },
  }),
  'pause.js': `const fs = require('fs');
    const [, , phase] = process.argv;
    fs.writeFileSync('${HOME}/at-' + phase, '');
    while (fs.existsSync('${HOME}/pause-' + phase)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);`,
  'server.js': `const word = require('fs').readFileSync('word', 'utf8');
    require('http').createServer((request, response) => response.end(word)).listen(process.env.PORT);`,
  word,
});
const zipOf = (files: Record<string, string>) =>
  makeZip(Object.entries(files).map(([name, data]) => ({ name, data })));
const archiveOf = (word: string, more: Record<string, string> = {}) => zipOf({ ...filesOf(word), ...more });
/** So many files that a test can observe the unpacking. */
const many = Object.fromEntries(Array.from({ length: 8_000 }, (_, at) => [`many/${at}`, 'x']));

const site = async () => (await visit(box.address, 'word.example.com')).body;
const exists = async (path: string) => (await box.exec(['test', '-e', path])).exitCode === 0;
const list = async (path: string) =>
  (await box.exec(['ls', '-A', path])).stdout.split('\n').filter(Boolean).sort();
const asTenant = (script: string) => asAccount(box, deploys.spec, script);
const signal = (name: string, unit: string) => box.require(['systemctl', 'kill', `--signal=${name}`, unit]);
const wantedApp = () => deploys.spec.apps.find(({ app_id }) => app_id === APP)!;

/** Kills the agent, and waits until the next one works. */
async function killAgent(): Promise<void> {
  const before = await server.restarts();
  await signal('SIGKILL', 'innkeeper-agent');
  await waitUntil('the next agent', async () => (await server.restarts()) > before, LONG);
  await box.require(['innkeeper-agent', 'status', '--wait', '60'], { timeoutMs: 70_000 });
}

/** Runs a line in the box, because a loop there polls faster than one outside. */
const inBox = (line: string) => box.require(['timeout', '60', 'sh', '-c', line], { timeoutMs: 70_000 });
const pause = async (phase: string) =>
  void (await asTenant(`cd ${HOME}; rm -f at-${phase}; touch pause-${phase}`));
const go = (phase: string) => asTenant(`rm ${HOME}/pause-${phase}`);
const reached = (phase: string) => waitUntil(phase, () => exists(`${HOME}/at-${phase}`), LONG);

/** A permanent visitor. Returns the answered words, each change once. */
function watch(): { end(): Promise<string[]> } {
  const words: string[] = [];
  let ended = false;
  const visits = (async () => {
    while (!ended) {
      const word = await visit(box.address, 'word.example.com').then(
        ({ status, body }) => (status === 200 ? body : `status ${status}`),
        (error: Error) => error.message,
      );
      if (word !== words.at(-1)) words.push(word);
      await sleep(50);
    }
  })();
  return {
    end: async () => {
      ended = true;
      await visits;
      return words;
    },
  };
}

/** The release is served, and no temporary files of a deploy are left. */
async function expectWhole(release: number, word: string): Promise<void> {
  const settled = await deploys.settled(APP, 'running', 120_000);
  expect(settled).toMatchObject({ release_id: `${release}`, reason: '' });
  await waitUntil(`"${word}"`, async () => (await site()) === word, LONG);
  const { stdout } = await box.exec(['systemctl', 'list-units', '--all', '--plain', '--no-legend', TASK]);
  expect(stdout).toBe('');
  expect(await list(`${STATE}/archives`)).toEqual([]);
  expect(await list(`${STATE}/tasks`)).toEqual([]);
  const releases = await list(`${FOLDER}/releases`);
  expect(releases).toContain(`${release}`);
  expect(releases.filter((name) => !/^\d+$/.test(name))).toEqual([]);
  expect(releases.length).toBeLessThanOrEqual(4);
  // The commit of the newest clone is one note for all releases.
  const lasting = ['npmrc', 'commit.json'];
  const notes = (await list(`${FOLDER}/.deploy`)).filter((name) => !lasting.includes(name));
  expect(notes).toEqual(releases.map((name) => `ready-${name}`));
  expect(JSON.parse(await box.require(['cat', `${STATE}/apps/20001/${APP}.json`]))).toMatchObject({
    appId: APP,
    link: null,
    task: null,
    failure: null,
    broken: null,
  });
}

let serial = 0;
/** The word that is served now, and the word that must be served next. */
let before = '';
let word = '';

beforeAll(async () => {
  rig = await startDeployBox('deploycrashes', {
    domains: [{ ...specOf({}).domains[0]!, domain_id: 1, name: 'word.example.com' }],
    files: filesOf('git'),
  });
  ({ server, deploys, git } = rig);
  box = server.box;
  deploys.want({ apps: [nodeApp(APP, { domain_id: 1, node_version: '22' })] });
  await deploys.settled(APP, 'running', 120_000);
  const release = deploys.deploy(APP, archiveOf('first'));
  await expectWhole(release, 'first');
}, 5 * MINUTES);

afterAll(async () => {
  await rig?.remove();
});

beforeEach(async () => {
  before = await site();
  serial += 1;
  word = `word ${serial}`;
});

/** Kills the agent while the deploy is paused, checks the served word, and lets the deploy continue. */
async function killedIn(phase: {
  deploy(): number;
  reach(): Promise<unknown>;
  /** If undefined, the next agent continues on its own. */
  proceed?(): unknown;
}): Promise<void> {
  const visitor = watch();
  const release = phase.deploy();
  await phase.reach();
  expect(await site()).toBe(before);
  await killAgent();
  if (phase.proceed !== undefined) {
    expect(await site()).toBe(before);
    await phase.proceed();
  }
  await expectWhole(release, word);
  expect(await visitor.end()).toEqual([before, word]);
}

const byArchive = () => deploys.deploy(APP, archiveOf(word));
const byGit = () => {
  git.commit(filesOf(word));
  return deploys.deployGit(APP, `${git.url}app.git`, 'main', '');
};

test(
  'the agent is killed while it fetches the archive',
  async () => {
    const { promise: rest, resolve: send } = Promise.withResolvers<void>();
    await killedIn({
      deploy: () => deploys.deploy(APP, archiveOf(word), rest),
      reach: () =>
        waitUntil('the first half', async () => (await list(`${STATE}/archives`)).length > 0, LONG),
      proceed: send,
    });
  },
  5 * MINUTES,
);

test(
  'the agent is killed while the archive is unpacked',
  async () => {
    let release = 0;
    await killedIn({
      deploy: () => {
        release = deploys.deploy(APP, archiveOf(word, many));
        return release;
      },
      reach: async () => {
        const staging = `${FOLDER}/releases/${release}.new`;
        await inBox(`until [ -e ${staging}/many ]; do :; done; systemctl kill --signal=SIGSTOP ${TASK}`);
        expect(await exists(staging)).toBe(true);
      },
      proceed: () => signal('SIGCONT', TASK),
    });
  },
  5 * MINUTES,
);

test(
  'the agent is killed while the repository is cloned',
  async () => {
    const held = git.hold();
    await killedIn({
      deploy: byGit,
      reach: () => waitUntil('git', held.asked, LONG),
      proceed: held.release,
    });
  },
  5 * MINUTES,
);

test.each([
  ['an archive', 'install', byArchive],
  ['an archive', 'build', byArchive],
  ['a repository', 'install', byGit],
  ['a repository', 'build', byGit],
])(
  'the agent is killed while %s is deployed, in the phase %s',
  async (_, phase, deploy) => {
    await pause(phase);
    await killedIn({ deploy, reach: () => reached(phase), proceed: () => go(phase) });
  },
  5 * MINUTES,
);

test.each([
  ['an archive', byArchive],
  ['a repository', byGit],
])(
  'the agent is killed when the release of %s is built and does not serve yet',
  async (_, deploy) => {
    await pause('build');
    await killedIn({
      deploy,
      reach: async () => {
        await reached('build');
        await signal('SIGSTOP', 'innkeeper-agent');
        await go('build');
        await inBox(`while systemctl is-active --quiet ${TASK}; do sleep 0.1; done`);
      },
    });
  },
  5 * MINUTES,
);

test.each([
  ['an archive', byArchive],
  ['a repository', byGit],
])(
  'the agent is killed in the swap of %s, while an old release is removed',
  async (_, deploy) => {
    const releases = await list(`${FOLDER}/releases`);
    expect(releases).toHaveLength(4);
    const [, oldest = ''] = releases;
    await asTenant(`cd ${FOLDER}/releases/${oldest} && mkdir more && cd more && seq 20000 | xargs touch`);
    const visitor = watch();
    const release = deploy();
    const restarts = await server.restarts();
    const said = await inBox(
      `until [ "$(readlink ${FOLDER}/current)" = releases/${release} ]; do :; done
     systemctl kill --signal=SIGKILL innkeeper-agent; ls ${FOLDER}/releases`,
    );
    expect(said.split('\n'), 'it was killed while there was something to take away').toContain(oldest);
    await waitUntil('the next agent', async () => (await server.restarts()) > restarts, LONG);
    await expectWhole(release, word);
    expect(await visitor.end()).toEqual([before, word]);
  },
  5 * MINUTES,
);

/** A deploy without packages, and a rollback, make at least about this many. */
const FEW_CHANGES = 8;

/** Starts the agent so that it kills itself after this number of changes. Returns whether it did. */
async function crashingAfter(changes: number, operation: () => Promise<void>): Promise<boolean> {
  await box.require(['systemctl', 'stop', 'innkeeper-agent']);
  await box.writeFile('/run/innkeeper/crash-after', `${changes}`);
  await box.require(['systemctl', 'start', 'innkeeper-agent']);
  const restarts = await server.restarts();
  await operation();
  return (await server.restarts()) > restarts;
}

/**
 * Repeats an operation, killed after one of its changes, then after a later one, and so on, until it needs fewer
 * changes. `steps`: how many it makes, if these are few. Returns the number of changes after which the last kill was.
 */
async function killedAfterChanges(operation: () => Promise<void>, steps?: number): Promise<number> {
  const { first, every } = crashSteps(steps);
  for (let changes = first; changes <= MOST_CHANGES; changes += every) {
    if (await crashingAfter(changes, operation)) continue;
    const last = changes - every;
    console.log(`killed after every ${every}. change from ${first} to ${last}`);
    return last;
  }
  throw new Error(`more than ${MOST_CHANGES} changes`);
}

test(
  'the agent is killed after any change of a deploy',
  async () => {
    // Nothing to install or to build: npm would run some forty times.
    const plain = ({ 'package.json': _, ...files }: Record<string, string>) => zipOf(files);
    const changes = await killedAfterChanges(async () => {
      serial += 1;
      const next = `word ${serial}`;
      const visitor = watch();
      const release = deploys.deploy(APP, plain(filesOf(next)));
      await expectWhole(release, next);
      expect(await visitor.end()).toEqual([before, next]);
      before = next;
    }, FEW_CHANGES);
    expect(changes).toBeGreaterThan(FEW_CHANGES / 2);
  },
  LOOP_MS,
);

test(
  'the agent is killed after any change of a rollback, which fetches nothing',
  async () => {
    let [other, one] = [wantedApp(), wantedApp()];
    const release = deploys.deploy(APP, archiveOf(word));
    await expectWhole(release, word);
    one = wantedApp();
    server.controlPlane.holdArchive(release);
    server.controlPlane.holdArchive(other.release!.release_id);
    const words = new Map([
      [one.release!.release_id, word],
      [other.release!.release_id, before],
    ]);
    const changes = await killedAfterChanges(async () => {
      [one, other] = [other, one];
      const [from = '', to = ''] = [other, one].map(({ release: served }) => words.get(served!.release_id));
      const visitor = watch();
      deploys.wantApp(APP, one);
      await expectWhole(one.release!.release_id, to);
      expect(await visitor.end()).toEqual([from, to]);
    }, FEW_CHANGES);
    expect(changes).toBeGreaterThan(2);
  },
  LOOP_MS,
);
