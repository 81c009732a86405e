import { waitUntil } from '@innkeeper/testkit';
import { expect } from 'vitest';
import { appIs, deploy, installApp } from './apps.ts';
import { SLOW_MS, type Tenant } from './tenant.ts';
import type { Use } from './virtual-server.ts';

/** The ways in which an account runs code. */
export const WAYS = ['php', 'cron', 'ssh', 'app', 'build'] as const;
type Way = (typeof WAYS)[number];

export type Task =
  /** Computes until the next task. */
  | 'burn'
  /** Takes this many MiB of memory until the next task. */
  | 'hold'
  /** Starts up to this many processes, which live until the next task. */
  | 'fork'
  /** Writes this many MiB to a file until an error, and keeps the file until the next task. */
  | 'fill'
  /** Writes this many MiB to a file, or reads it, past the page cache. The answer has the time of its end. */
  | 'write'
  | 'read'
  /** Reads 4 KiB of it this many times. */
  | 'small-reads'
  | 'rest'
  | 'end';

/**
 * Five programs of one account, one for each way. Each waits for a task in ~/work/task, and answers in ~/work/<way>.
 * Answers are overwritten in place: an account without disk space can still answer.
 */
export interface FiveWays {
  /** Gives all of them a task, and returns before they have ended it. */
  begin(task: Task, amount?: number): Promise<void>;
  /** Their answers to the last task. Undefined: no answer yet, or killed. */
  answers(): Promise<Record<Way, string | undefined>>;
  /** Waits for all of them. */
  allAnswers(): Promise<Record<Way, string>>;
  end(): Promise<void>;
}

const ANSWER_BYTES = 200;

/** PHP, for PHP-FPM, cron and SSH. */
const workerPhp = (folder: string) => `<?php
set_time_limit(0); ignore_user_abort(true); ini_set('memory_limit', '-1'); error_reporting(0);
$way = $argv[1] ?? 'php'; chdir('${folder}');
$lock = fopen("$way.lock", 'c'); if (!flock($lock, LOCK_EX | LOCK_NB)) exit;
function dd($options) { exec("dd $options 2>&1", $lines, $code); return $code === 0 ? 'done ' . microtime(true) : implode(' ', $lines); }
function work($task, $amount, $way) {
  global $held, $children;
  switch ($task) {
    case 'hold': for ($i = 0; $i < $amount; $i++) $held[] = str_repeat('x', 1 << 20); return 'held';
    case 'fork':
      for ($i = 0; $i < $amount && ($child = proc_open(['sleep', '1000'], [], $none)) !== false; $i++) $children[] = $child;
      return count($children);
    case 'fill':
      $file = fopen("fill-$way", 'w'); $part = str_repeat('x', 1 << 20); error_clear_last();
      for ($i = 0; $i < $amount && error_get_last() === null; $i++) fwrite($file, $part);
      fclose($file); return error_get_last()['message'] ?? 'no error';
    case 'write': return dd("if=/dev/zero of=file-$way bs=1M count=$amount oflag=direct");
    case 'read': return dd("if=file-$way of=/dev/null bs=1M iflag=direct");
    case 'small-reads': return dd("if=file-$way of=/dev/null bs=4k count=$amount iflag=direct");
    case 'end': exit;
    default: return 'ready';
  }
}
for ($done = ''; ; ) {
  [$number, $task, $amount] = explode(' ', trim(file_get_contents('task'))) + ['', 'rest', '0'];
  if ($number !== $done) {
    foreach ($children ?? [] as $child) { proc_terminate($child, 9); proc_close($child); }
    [$held, $children, $done] = [[], [], $number]; @unlink("fill-$way");
    $answer = fopen($way, 'r+'); $text = work($task, (int) $amount, $way);
    fwrite($answer, str_pad(substr("$number $text", 0, ${ANSWER_BYTES}), ${ANSWER_BYTES})); fclose($answer);
  }
  if ($task === 'burn') for ($i = 0; $i < 20000; $i++) hash('sha256', 'x'); else usleep(200000);
}
`;

/** The same in JavaScript, for the app and the build. Only synchronous calls for files: they need no further threads. */
const workerJs = (folder: string) => `
const fs = require('node:fs');
const { execFile, spawn } = require('node:child_process');
process.chdir('${folder}');
let held = [], children = [];
const dd = (...options) => new Promise((resolve) =>
  execFile('dd', options, (error, out, said) => resolve(error ? said.replaceAll('\\n', ' ') : 'done ' + Date.now() / 1000)));
async function work(task, amount, way) {
  switch (task) {
    case 'hold': for (let i = 0; i < amount; i++) held.push(Buffer.alloc(1 << 20, 1)); return 'held';
    case 'fork':
      for (let i = 0; i < amount; i++) {
        const child = spawn('sleep', ['1000'], { stdio: 'ignore' }).on('error', () => {});
        if (child.pid === undefined) break;
        children.push(child);
      }
      return children.length;
    case 'fill': {
      const file = fs.openSync('fill-' + way, 'w');
      try { for (let i = 0; i < amount; i++) fs.writeSync(file, Buffer.alloc(1 << 20, 1)); return 'no error'; }
      catch (error) { return 'errno=' + -error.errno; }
      finally { fs.closeSync(file); }
    }
    case 'write': return await dd('if=/dev/zero', 'of=file-' + way, 'bs=1M', 'count=' + amount, 'oflag=direct');
    case 'read': return await dd('if=file-' + way, 'of=/dev/null', 'bs=1M', 'iflag=direct');
    case 'small-reads': return await dd('if=file-' + way, 'of=/dev/null', 'bs=4k', 'count=' + amount, 'iflag=direct');
    default: return 'ready';
  }
}
exports.run = async (way) => {
  for (let done = ''; ; ) {
    const [number = '', task = 'rest', amount = '0'] = fs.readFileSync('task', 'utf8').trim().split(' ');
    if (number !== done) {
      for (const child of children) child.kill('SIGKILL');
      [held, children, done] = [[], [], number]; fs.rmSync('fill-' + way, { force: true });
      if (task === 'end') return;
      const text = number + ' ' + await work(task, Number(amount), way);
      const answer = fs.openSync(way, 'r+');
      fs.writeSync(answer, text.slice(0, ${ANSWER_BYTES}).padEnd(${ANSWER_BYTES}));
      fs.closeSync(answer);
    }
    if (task === 'burn') for (const until = Date.now() + 50; Date.now() < until; );
    await new Promise((resolve) => setTimeout(resolve, task === 'burn' ? 0 : 200));
  }
};`;
const SERVER_JS = `
require('node:http').createServer((request, response) => response.end('up')).listen(process.env.PORT);
require('./worker.js').run('app');`;
const BUILD_JS = `require('./worker.js').run('build');`;

/** Starts the five programs. The account needs terminal access and a free app, domain and cron job. */
export async function startFiveWays(use: Use, tenant: Tenant): Promise<FiveWays> {
  const { guest, api } = use;
  const folder = `/home/${tenant.username}/work`;
  const sh = (script: string, ...args: string[]) =>
    guest.require(['sh', '-ec', `cd ${folder}; ${script}`, 'sh', ...args], { timeoutMs: SLOW_MS });
  let number = 0;
  const begin = async (task: Task, amount = 0) => {
    number += 1;
    // Of root, so that it counts towards no quota, and in place.
    await sh(`printf '%-40s' "$1" 1<>task`, `${number} ${task} ${amount}`);
  };
  const answers = async () => {
    const lines = (await sh(`for way in ${WAYS.join(' ')}; do head -n 1 $way; echo; done`)).split('\n');
    const answerOf = (way: Way) => {
      const [, answered, text] = /^(\d+) (.*)$/.exec(lines.filter(Boolean)[WAYS.indexOf(way)]!.trim()) ?? [];
      return Number(answered) === number ? text : undefined;
    };
    return Object.fromEntries(WAYS.map((way) => [way, answerOf(way)])) as Record<Way, string | undefined>;
  };
  const allAnswers = async () => {
    let last: Record<Way, string | undefined> | undefined;
    await waitUntil(
      `an answer of ${WAYS.join(', ')}`,
      async () => {
        last = await answers();
        return Object.values(last).every((text) => text !== undefined);
      },
      { timeoutMs: SLOW_MS, everyMs: 300 },
    ).catch((error: Error) => {
      throw new Error(`${error.message}; they said ${JSON.stringify(last)}`);
    });
    return last as Record<Way, string>;
  };

  const own = `-o ${tenant.uid} -g ${tenant.uid}`;
  const files = WAYS.map(
    (way) => `printf '%-${ANSWER_BYTES}s' 0 >${way}; chown ${tenant.uid}:${tenant.uid} ${way}`,
  );
  await guest.require([
    ...[
      'sh',
      '-ec',
      `install -d ${own} ${folder}; cd ${folder}; printf '%-40s' '0 rest' >task; ${files.join('; ')}`,
    ],
  ]);
  await tenant.publish('worker.php', workerPhp(folder));
  const php = `php domains/${tenant.site}/public_html/worker.php`;
  const job = await api.post<{ data: { id: number } }>('/cron-jobs', {
    ...{ hosting_account_id: tenant.id, name: 'Work', schedule: '* * * * *', command: `${php} cron` },
  });
  expect(job).toMatchObject({ status: 201 });
  void tenant.get('/worker.php').catch(() => {});
  void tenant.ssh(`${php} ssh`, 3_600_000).catch(() => {});

  const app = await installApp(use, tenant, 'nodejs', `app.${tenant.site}`);
  const worker = { name: 'worker.js', data: workerJs(folder) };
  const server = { name: 'server.js', data: SERVER_JS };
  await deploy(use, app, [worker, server]);
  await begin('rest');
  await waitUntil('the app', async () => (await answers()).app !== undefined, {
    timeoutMs: SLOW_MS,
    everyMs: 500,
  });
  await appIs(use, app, 'running');
  // This build does not end before it is told to.
  const build = { name: 'build.js', data: BUILD_JS };
  await deploy(use, app, [worker, server, build, { name: 'package.json', data: '{"name":"work"}' }]);
  await allAnswers();
  // The program of the last minute stays, and no other one starts.
  expect(await api.delete(`/cron-jobs/${job.body.data.id}`)).toMatchObject({ status: 200 });
  return { begin, answers, allAnswers, end: () => begin('end') };
}
