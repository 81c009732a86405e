import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AccountSpec, accountSpecSchema } from '@innkeeper/protocol';
import { ownerOf } from '../../src/capabilities/claim.ts';
import { FileSystemQuota } from '../../src/capabilities/disk/disk-quota.ts';
import { DiskScan } from '../../src/capabilities/disk/disk-scan.ts';
import { quotaDriver } from '../../src/capabilities/disk/quota-driver.ts';
import type { Host } from '../../src/capabilities/host.ts';
import { sliceDriver } from '../../src/capabilities/slice/slice-driver.ts';
import { AccountFiles } from '../../src/capabilities/user/account-database.ts';
import { userDriver } from '../../src/capabilities/user/user-driver.ts';
import { KernelCgroups } from '../../src/node/cgroups.ts';
import { Changes } from '../../src/node/changes.ts';
import { Exec } from '../../src/node/exec.ts';
import { Systemctl } from '../../src/node/systemd.ts';
import { runPass } from '../../src/reconciler/pass.ts';

/** Output of the program: of all passes together, and the errors of each. */
export interface DiskQuotaAnswer {
  isEnforced: boolean;
  /** Whether the agent can set IO limits here. */
  ioLimits: boolean;
  changes: number;
  /** Number of programs started for quotas. */
  programs: number;
  /** Uids, and the bytes measured by the agent. */
  measured: [number, number][];
  failures: string[];
}

class CountingExec extends Exec {
  programs = 0;

  override async run(...[program, args, options]: Parameters<Exec['run']>): ReturnType<Exec['run']> {
    if (program === '/usr/bin/systemd-run') this.programs += 1;
    return await super.run(program, args, options);
  }

  override async change(...[program, args, options]: Parameters<Exec['change']>): ReturnType<Exec['change']> {
    if (program === '/usr/bin/systemd-run') this.programs += 1;
    return await super.change(program, args, options);
  }
}

/**
 * Converges the users and disk limits of the accounts on standard input, all at once. With `--turn-off` the quota is
 * turned off between the start and the passes. With `--slices` the limits of their slices are set too.
 */
const specs = accountSpecSchema.array().parse(JSON.parse(readFileSync(0, 'utf8')));
const changes = new Changes();
const exec = new CountingExec(changes);
const quota = new FileSystemQuota(exec);
const cgroups = new KernelCgroups(changes);
const systemd = new Systemctl(exec);
const host = {
  changes,
  accounts: new AccountFiles(exec, changes),
  quota,
  cgroups,
  systemd,
} as unknown as Host;
if (process.argv.includes('--turn-off')) {
  await quota.isEnforced();
  execFileSync('/usr/sbin/quotaoff', ['-u', '/home']);
}
const failures = (await Promise.all(specs.map(passOver))).flat();
const isEnforced = await quota.isEnforced();
const { programs } = exec;
const owners = specs.map((spec) => ({ owner: ownerOf(spec), databases: [] }));
const measured = [...(await new DiskScan(exec, async () => '/var/lib/mysql', quota).measure(owners))];
console.log(
  JSON.stringify({
    isEnforced,
    ioLimits: cgroups.ioLimits,
    changes: changes.count,
    programs,
    measured,
    failures,
  } satisfies DiskQuotaAnswer),
);
process.exit();

async function passOver(spec: AccountSpec): Promise<string[]> {
  const slices = process.argv.includes('--slices') ? [sliceDriver] : [];
  const drivers =
    spec.desired_state === 'absent' ? [quotaDriver, userDriver] : [userDriver, ...slices, quotaDriver];
  const pass = await runPass(spec, drivers, {
    host,
    now: () => performance.now(),
    mayContinue: () => 'go',
    onChange: () => {},
  });
  if (typeof pass === 'string') return [pass];
  const wrong = pass.conditions.filter(({ reason }) => reason !== 'Applied');
  return [
    ...wrong.map(({ type, message }) => `${type}: ${message}`),
    ...pass.defects.map(({ error }) => String(error)),
  ];
}
