import { makeZip } from '@innkeeper/testkit';
import {
  type Box,
  type CronClock,
  type NpmRegistry,
  startCronClock,
  startNpmRegistry,
  testInstallation,
  waitUntil,
} from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeApp, specOf } from '../specs.ts';
import { asAccount, type Customers, customersOf } from './account-session.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { Deploys } from './deploys.ts';
import { findRemains } from './remains.ts';
import { visit } from './site.ts';

/**
 * An account that fights its suspension. From PHP, SSH, cron and a Node.js app at once, it starts processes that ignore
 * signals and restart each other, uses all its permitted processes, and stops and traces the agent's children. 5 s
 * after the suspension none of its processes may run, nor in the next three minutes of cron. After its removal nothing of it may be left,
 * and its name and uid can be used again.
 */
const A_MINUTE_AND_MORE = { timeoutMs: 90_000, everyMs: 500 };
const FIVE_SECONDS = 5_000;

let server: AgentBox;
let box: Box;
let cron: CronClock;
let registry: NpmRegistry;
let customers: Customers;
let deploys: Deploys;

/** Restarts itself before it ends, over and over, as a child of another process. */
const RESPAWN = `#!/bin/sh
trap '' HUP INT TERM QUIT
[ -e "$HOME/stop" ] && exit
echo "$1" > "$HOME/alive-$1"
sleep 0.3
setsid "$0" "$1" >/dev/null 2>&1 </dev/null &
sleep 0.1
`;
const SERVER_JS = `
const { spawn } = require('node:child_process');
const respawn = () => spawn(process.env.HOME + '/respawn.sh', ['node'], { detached: true, stdio: 'ignore' }).unref();
setInterval(respawn, 200);
process.on('SIGTERM', respawn);
require('node:http').createServer((request, response) => response.end('up')).listen(process.env.PORT);
`;
/**
 * Stops and traces every process that it can reach in the agent's cgroup. A process that it cannot reach counts as a
 * try.
 */
const STOPPER = `
my ($ptrace, $reached, $tries) = ($ARGV[0], 0, 0);
$SIG{$_} = 'IGNORE' for qw(HUP INT TERM);
while (!-e "$ENV{HOME}/stop") {
  open my $load, '<', '/proc/loadavg' or next;
  my ($last) = <$load> =~ /(\\d+)$/;
  for my $pid ($last - 30 .. $last + 5) {
    next if $pid == $$;
    my $is_agents = 0;
    if (open my $file, '<', "/proc/$pid/cgroup") { local $/; $is_agents = <$file> =~ /innkeeper-agent/ }
    if (!kill 0, $pid) { $tries++ if $!{EPERM} }
    elsif ($is_agents) { kill 'STOP', $pid; $reached++ }
    $reached++ if $is_agents && syscall($ptrace, 16, $pid, 0, 0) == 0;
  }
  open my $note, '>', "$ENV{HOME}/hunted.new" or next;
  print $note "$reached reached, $tries tried\\n";
  close $note;
  rename "$ENV{HOME}/hunted.new", "$ENV{HOME}/hunted";
}
`;
const PHP = `<?php exec('setsid "$HOME/respawn.sh" php >/dev/null 2>&1 </dev/null &'); echo 'started';`;

const domain = (domain_id: number, name: string) => ({
  ...specOf({}).domains[0]!,
  domain_id,
  name,
  is_primary: domain_id === 1,
});
const hostile = specOf({
  account_id: 1,
  uid: 20_001,
  linux_user: 'hydra',
  terminal_access: true,
  limits: { ...specOf({}).limits, ram_mb: 1_024, max_processes: 120, cpu_percent: 100 },
  domains: [domain(1, 'hydra.example.com'), domain(2, 'app.hydra.example.com')],
  cron_jobs: [{ cron_job_id: 1, schedule: '* * * * *', command: 'exec ./respawn.sh cron', enabled: true }],
});
const clock = specOf({
  account_id: 2,
  uid: 20_002,
  linux_user: 'clock',
  domains: [],
  cron_jobs: [{ cron_job_id: 2, schedule: '* * * * *', command: 'date +%s%N > ticked', enabled: true }],
});

const running = async () =>
  (await box.exec(['pgrep', '--uid', '20001', '--list-full'])).stdout.split('\n').filter(Boolean);
const minuteOfCron = async () => (await box.exec(['cat', '/home/clock/ticked'])).stdout;
const isAlive = async (origin: string) =>
  (await box.exec(['test', '-e', `/home/hydra/alive-${origin}`])).exitCode === 0;

beforeAll(async () => {
  server = await startAgentBox('respawners');
  box = server.box;
  cron = await startCronClock(box);
  customers = await customersOf(box);
  const { boxes } = await testInstallation();
  registry = await startNpmRegistry(boxes.network.hostAddress);
  await server.configure({ INNKEEPER_NPM_REGISTRY: registry.url });
  await server.settle(clock);
  expect(await server.settle(hostile)).toMatchObject({ outcome: 'applied' });
  await customers.authorize(hostile);
  await customers.write(hostile, 'respawn.sh', RESPAWN);
  await asAccount(box, hostile, 'chmod 755 /home/hydra/respawn.sh');
  await customers.write(hostile, 'domains/hydra.example.com/public_html/start.php', PHP);
  deploys = new Deploys(server, hostile);
  deploys.want({ apps: [nodeApp(1, { domain_id: 2 })] });
  deploys.deploy(1, makeZip([{ name: 'server.js', data: SERVER_JS }]));
}, 120_000);

afterAll(async () => {
  await customers?.end();
  await registry?.stop();
  await server?.remove();
});

test('an account has processes that restart each other, from Node.js, PHP, SSH and cron', async () => {
  await waitUntil('the Node app', () => isAlive('node'), { timeoutMs: 90_000 });
  expect((await visit(box.address, 'hydra.example.com', '/start.php')).body).toBe('started');
  await customers.ssh(hostile, 'setsid ./respawn.sh ssh >/dev/null 2>&1 </dev/null &');
  await cron.passMinute();
  for (const origin of ['php', 'ssh', 'cron'])
    await waitUntil(`processes of ${origin}`, () => isAlive(origin), A_MINUTE_AND_MORE);
  expect((await running()).length).toBeGreaterThan(5);
}, 240_000);

test('the account cannot stop or trace the agent’s child processes', async () => {
  const ptrace = process.arch === 'arm64' ? 117 : 101;
  await customers.write(hostile, 'hunt.pl', `use Errno;${STOPPER}`);
  await customers.ssh(hostile, `setsid perl hunt.pl ${ptrace} >/dev/null 2>&1 </dev/null &`);
  const hunted = async () => (await box.exec(['cat', '/home/hydra/hunted'])).stdout;
  // The hunter shares the account's CPU with everything above.
  await waitUntil('the hunt', async () => (await hunted()) !== '', { timeoutMs: 60_000 });
  for (const desired_state of ['running', 'absent'] as const) {
    deploys.wantApp(2, { desired_state });
    await deploys.settled(2, desired_state);
  }
  const [, reached, tried] = /^(\d+) reached, (\d+) tried/.exec(await hunted()) ?? [];
  expect(Number(tried)).toBeGreaterThan(100);
  expect(Number(reached)).toBe(0);
  deploys.wantApp(2, { desired_state: 'running' });
  // Uses all permitted processes, as long as it lives.
  await customers.ssh(hostile, `setsid perl -e 'fork while 1' >/dev/null 2>&1 </dev/null &`);
}, 120_000);

test('five seconds after a suspension is requested the account has no process, and cron starts none', async () => {
  deploys.wantApp(2, { desired_state: 'absent' });
  const askedAt = performance.now();
  deploys.want({ desired_state: 'suspended' });
  await waitUntil('nothing of it to run', async () => (await running()).length === 0, { timeoutMs: 30_000 });
  const report = await waitUntil('the report of it', () =>
    server.controlPlane.reportOf(hostile.account_id, deploys.spec.generation),
  );
  expect(performance.now() - askedAt).toBeLessThan(FIVE_SECONDS);
  expect(report).toMatchObject({ outcome: 'applied' });
  for (const name of ['hydra.example.com', 'app.hydra.example.com'])
    expect(await visit(box.address, name)).toMatchObject({ status: 503 });
  expect(await customers.ssh(hostile, 'true')).toMatchObject({ exitCode: 255 });

  for (let minute = 1; minute <= 3; minute += 1) {
    const before = await minuteOfCron();
    await cron.passMinute();
    await waitUntil(
      'cron to have its next minute',
      async () => (await minuteOfCron()) !== before,
      A_MINUTE_AND_MORE,
    );
    expect(await running()).toEqual([]);
  }
}, 150_000);

test('a removal leaves nothing, and username and uid are free at once', async () => {
  deploys.want({ desired_state: 'active' });
  await waitUntil('it to be alive again', async () => (await running()).length > 3, { timeoutMs: 60_000 });
  deploys.want({ desired_state: 'absent' });
  const gone = await waitUntil(
    'it to be gone',
    () => {
      const report = server.controlPlane.reportOf(hostile.account_id, deploys.spec.generation);
      return report?.outcome === 'absent' && report;
    },
    { timeoutMs: 60_000 },
  );
  expect(gone.conditions.every(({ reason }) => reason === 'Applied')).toBe(true);
  expect(await findRemains(box, hostile, ['hydra'])).toEqual([]);

  const again = specOf({
    account_id: 3,
    uid: 20_001,
    linux_user: 'hydra',
    domains: [domain(9, 'hydra.example.com')],
  });
  expect(await server.settle(again)).toMatchObject({ outcome: 'applied' });
  expect(await running()).toEqual([]);
  expect((await visit(box.address, 'hydra.example.com')).body).toContain('hydra.example.com');
  expect((await box.require(['ls', '/home/hydra'])).split('\n').filter(Boolean)).toEqual(['domains', 'logs']);
}, 150_000);
