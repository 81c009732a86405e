import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { type AccountSpec, accountSpecSchema } from '@innkeeper/protocol';
import { ownerOf } from '../../src/capabilities/claim.ts';
import { FileSystemQuota } from '../../src/capabilities/disk/disk-quota.ts';
import { DiskScan } from '../../src/capabilities/disk/disk-scan.ts';
import { quotaDriver } from '../../src/capabilities/disk/quota-driver.ts';
import type { Host } from '../../src/capabilities/host.ts';
import { AccountFiles } from '../../src/capabilities/user/account-database.ts';
import { userDriver } from '../../src/capabilities/user/user-driver.ts';
import { Changes } from '../../src/node/changes.ts';
import { Exec } from '../../src/node/exec.ts';
import { runPass } from '../../src/reconciler/pass.ts';

/** One request to the program. */
export interface DiskQuotaRequest {
  specs: AccountSpec[];
  /** Turns the quota off between the start and the passes. */
  turnOff: boolean;
}

/** Answer of the program: of all passes together, and the errors of each. */
export interface DiskQuotaAnswer {
  isEnforced: boolean;
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
 * Listens on the socket that it is started with. For each request it converges the users and disk limits of the
 * accounts, all at once, with new tools: nothing is known from an earlier request. One process answers all requests,
 * because its start takes seconds on an emulated processor.
 */
createServer((request, response) => {
  json(request)
    .then((body) => converge(body as DiskQuotaRequest))
    .then(
      (answer) => response.end(JSON.stringify(answer)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
}).listen(process.argv[2]);

async function converge({ specs: given, turnOff }: DiskQuotaRequest): Promise<DiskQuotaAnswer> {
  const specs = accountSpecSchema.array().parse(given);
  const changes = new Changes();
  const exec = new CountingExec(changes);
  const quota = new FileSystemQuota(exec);
  const accounts = new AccountFiles(exec, changes);
  const host = { changes, accounts, quota } as unknown as Host;
  if (turnOff) {
    await quota.isEnforced();
    execFileSync('/usr/sbin/quotaoff', ['-u', '/home']);
  }
  const failures = (await Promise.all(specs.map((spec) => passOver(spec, host)))).flat();
  const isEnforced = await quota.isEnforced();
  const { programs } = exec;
  const owners = specs.map((spec) => ({ owner: ownerOf(spec), databases: [] }));
  const measured = [...(await new DiskScan(exec, async () => '/var/lib/mysql', quota).measure(owners))];
  return { isEnforced, changes: changes.count, programs, measured, failures };
}

async function passOver(spec: AccountSpec, host: Host): Promise<string[]> {
  const drivers = spec.desired_state === 'absent' ? [quotaDriver, userDriver] : [userDriver, quotaDriver];
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
