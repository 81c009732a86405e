import type { AccountSpec } from '@innkeeper/protocol';
import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domainOf, specOf } from '../specs.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { findRemains } from './remains.ts';
import { visit } from './site.ts';

/**
 * Each folder that the agent writes to becomes a file system of its own, which has no space or no room for one more file.
 * A change that needs the folder is reported and retried, leaves nothing half, and is made as soon as there is room.
 */
const NAME = 'full.example.com';
const LATER = { timeoutMs: 60_000 };

let server: AgentBox;
let box: Box;
let spec: AccountSpec = specOf({
  account_id: 1,
  uid: 20_001,
  linux_user: 'full',
  terminal_access: true,
  domains: [domainOf(1, NAME)],
});

beforeAll(async () => {
  server = await startAgentBox('full-disk');
  box = server.box;
  expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
});

afterAll(async () => {
  await server?.remove();
});

/** Copies the folder to a file system of its own at the same place, which is then full. Prints where to free it. */
const FILL = `
folder=$1 what=$2 disk=$(mktemp -d /mnt/full.XXXXXX)
mount -t tmpfs -o size=256m,nr_inodes=100k full "$disk"
cp -a "$folder" "$disk/copy"
head -c 1M /dev/zero > "$disk/filler"
show() { df --output="$1" -k "$disk" | tail -n 1 | tr -d ' '; }
case $what in
  space) mount -o "remount,size=$(show used)k" "$disk" ;;
  inodes) mount -o "remount,nr_inodes=$(show iused)" "$disk" ;;
esac
mount --bind "$disk/copy" "$folder"
printf %s "$disk"`;
const FREE = `mount -o remount,size=256m,nr_inodes=100k "$1"`;
/** What an interrupted write can leave. */
const STAGED = ['-name', '*.innkeeper-new', '-o', '-name', '*.tmp', '-o', '-name', '*.unfinished'];

/** Does the work while the folder is on a full disk, and then frees it. */
async function whileFull(folder: string, what: string, work: () => Promise<void>): Promise<void> {
  const disk = await run(FILL, folder, what);
  try {
    await work();
  } finally {
    await run(FREE, disk);
  }
}

const run = (script: string, ...args: string[]) => box.require(['bash', '-ec', script, 'bash', ...args]);

/** Requests a change of the account, and returns its generation. */
function want(changes: Partial<AccountSpec>): number {
  spec = { ...spec, ...changes, generation: spec.generation + 1 };
  server.controlPlane.want(spec);
  return spec.generation;
}

const reported = (accountId: number, generation: number) =>
  server.controlPlane.reportOf(accountId, generation);
const applied = (accountId: number, generation: number) =>
  waitUntil(
    `account ${accountId} in generation ${generation}`,
    () => reported(accountId, generation)?.outcome === 'applied',
    LATER,
  );

const LIMITS = 'limits';

/** Each with a change that writes there. */
const WRITERS: [writer: string, folder: string, change: (round: number) => Partial<AccountSpec>][] = [
  [
    'sites',
    '/etc/innkeeper/sites',
    (round) => ({
      domains: [domainOf(1, NAME), domainOf(10 + round, `more${round}.example.com`, { is_primary: false })],
    }),
  ],
  ['PHP', '/etc/innkeeper/php', (round) => ({ limits: { ...spec.limits, ram_mb: 700 + 100 * round } })],
  // systemd applies a limit also if it cannot store it. The agent sets it again at its start.
  [
    LIMITS,
    '/etc/systemd/system.control',
    (round) => ({ limits: { ...spec.limits, max_processes: 70 + round } }),
  ],
  [
    'cron jobs',
    '/etc/cron.d',
    (round) => ({
      cron_jobs: [{ cron_job_id: round, schedule: '* 3 * * *', command: `echo ${round}`, enabled: true }],
    }),
  ],
  [
    'commands of cron jobs',
    '/etc/innkeeper/cron',
    (round) => ({
      cron_jobs: [{ cron_job_id: 5 + round, schedule: '* 3 * * *', command: `echo ${round}`, enabled: true }],
    }),
  ],
  [
    'SSH keys',
    '/etc/innkeeper/ssh-keys',
    (round) => ({
      ssh_keys: [`ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(42)}${round}`],
    }),
  ],
];

describe.each(['space', 'inodes'])('without %s', (what) => {
  const round = what === 'space' ? 1 : 2;

  test('the ledger: the change is requested again until it can be stored', async () => {
    const ledger = '/var/lib/innkeeper/agent/ledger';
    const failuresToStore = async () => {
      const log = await box.require(['journalctl', '-u', 'innkeeper-agent', '-o', 'cat']);
      return log.split('A spec could not be stored').length;
    };
    const before = await failuresToStore();
    let generation = 0;
    await whileFull(ledger, what, async () => {
      generation = want({ limits: { ...spec.limits, cpu_percent: 100 + round } });
      await waitUntil('the failure in the log', async () => (await failuresToStore()) > before, LATER);
      expect(reported(1, generation)).toBeUndefined();
      expect((await visit(box.address, NAME)).status).toBe(200);
      expect(await box.require(['find', ledger, ...STAGED])).toBe('');
    });
    await applied(1, generation);
  });

  test.each(WRITERS)(
    '%s: the change is reported, retried and made when there is room',
    async (writer, folder, change) => {
      let generation = 0;
      await whileFull(folder, what, async () => {
        generation = want(change(round));
        const report = await waitUntil('a report', () => reported(1, generation), LATER);
        expectFullOrApplied(report);
        if (what === 'inodes' && writer !== LIMITS) expect(report.outcome).toBe('progressing');
        expect((await visit(box.address, NAME)).status).toBe(200);
        expect(await box.require(['find', folder, ...STAGED])).toBe('');
      });
      await applied(1, generation);
    },
  );

  test('users: a new account waits, and is created when there is room', async () => {
    const uid = 20_010 + round;
    const user = `fresh${round}`;
    const host = `${user}.example.com`;
    const fresh = specOf({
      ...{ account_id: uid, uid, linux_user: user, creation_id: `${round}`.repeat(32) },
      domains: [domainOf(uid, host)],
    });
    await whileFull('/etc', what, async () => {
      // The folder is a mount in the agent's own namespace too, which is made again with it.
      await box.require(['systemctl', 'restart', 'innkeeper-agent']);
      server.controlPlane.want(fresh);
      const report = await waitUntil('a report', () => reported(uid, 1), LATER);
      expectFullOrApplied(report);
      if (what === 'inodes') expect(report.outcome).toBe('progressing');
      expect((await visit(box.address, NAME)).status).toBe(200);
    });
    await applied(uid, 1);
    expect((await visit(box.address, host)).status).toBe(200);
    const gone = { ...fresh, generation: 2, desired_state: 'absent' as const };
    expect(await server.settle(gone)).toMatchObject({ outcome: 'absent' });
    // The agent forgets an account once its report was taken.
    await waitUntil(
      'nothing to be left',
      async () => (await findRemains(box, fresh, [host])).length === 0,
      LATER,
    );
  });

  test('the bandwidth of sites: nothing is lost', async () => {
    const state = '/var/lib/innkeeper/agent';
    const counted = async () => {
      const { months } = JSON.parse(await box.readFile(`${state}/traffic.json`)) as {
        months: Record<string, Record<string, number>>;
      };
      return Object.values(months).reduce((sum, month) => sum + (month[spec.uid] ?? 0), 0);
    };
    const before = await counted();
    await whileFull(state, what, async () => {
      for (let visits = 0; visits < 20; visits += 1) await visit(box.address, NAME);
    });
    await waitUntil('the bandwidth', async () => (await counted()) > before + 20 * 200, LATER);
  });
});

/** A link or a folder needs no space, so some changes succeed without any. */
function expectFullOrApplied({ outcome, conditions }: NonNullable<ReturnType<typeof reported>>): void {
  if (outcome === 'applied') return;
  expect(outcome, JSON.stringify(conditions)).toBe('progressing');
  expect(conditions.map(({ message }) => message).join(' ')).toContain('A disk of the server is full');
}

test('the server says that a disk is full, and that it has room again', async () => {
  const isFull = () => server.controlPlane.heartbeat?.warnings.includes('DISK_FULL') === true;
  await whileFull('/var/log', 'inodes', () => waitUntil('the warning', isFull, LATER).then(() => {}));
  await waitUntil('its end', () => !isFull(), LATER);
});
