import { lstatSync } from 'node:fs';
import type { ServiceWarning } from '@innkeeper/protocol';
import type { Host } from '../capabilities/host.ts';
import type { Clock } from './clock.ts';
import { HostError } from './host-error.ts';
import type { Log } from './log.ts';
import { runningPackageManager } from './package-manager.ts';

export interface ServerWatchDeps {
  readonly host: Pick<Host, 'placed' | 'web' | 'systemd'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns whether systemd knows the unit. */
  readonly hasUnit?: (unit: string) => boolean;
  /** While packages are installed, the package manager stops and starts services. */
  readonly isInstalling?: () => Promise<boolean>;
}

/** What the agent requires of this server beside its accounts. */
export interface ServerWatch {
  /** Current problems, one sentence each, without names of accounts or sites. */
  reasons(): readonly string[];
  /** Codes of the services that do not run. */
  warnings(): readonly ServiceWarning[];
  /** Aborts the running check, and starts nothing more. */
  stop(): Promise<void>;
}

interface Service {
  readonly name: string;
  readonly warning: ServiceWarning;
  /** Any one of them is sufficient. The first one that is installed is started. */
  readonly units: readonly string[];
}

const EVERY_MS = 2_000;
/** Number of checks for which a service may be down: systemd restarts it automatically, or an operator restarts it. */
const PATIENCE = 2;
/** Number of rounds from one check of the services to the next: a check of unit states starts one program. */
const CHECKS_BETWEEN_SERVICES = 5;

const SERVICES: readonly Service[] = [
  { name: 'nginx', warning: 'NGINX_DOWN', units: ['nginx.service'] },
  {
    name: 'The database server',
    warning: 'DATABASE_SERVER_DOWN',
    units: ['mariadb.service', 'mysql.service'],
  },
  { name: 'cron', warning: 'CRON_DOWN', units: ['cron.service'] },
  { name: 'sshd', warning: 'SSHD_DOWN', units: ['ssh.service', 'ssh.socket'] },
];

/**
 * Monitors what all accounts depend on: the files that the installer placed, and the services. Each check restores lost
 * files, and then reloads what reads them. It starts services that stay down. While a service is down or a file cannot be
 * restored, the agent is not ready.
 */
export function startServerWatch(deps: ServerWatchDeps): ServerWatch {
  const { host, clock, log, hasUnit = isInstalled, isInstalling = runningPackageManager } = deps;
  let reasons: readonly string[] = ['The server has not been checked since the agent started.'];
  let stopped = false;
  let cancel = () => {};
  let checks = 0;
  let servicesDown: readonly string[] = [];
  /** Number of consecutive checks in which a service was down. */
  const down = new Map<Service, number>();

  async function repairFiles(): Promise<readonly string[]> {
    const { restored, wrong } = await host.placed.repair();
    if (restored.length === 0) return wrong;
    log.warn({ restored }, 'Files of Innkeeper were missing or changed. The agent restored them.');
    const isBelow = (...folders: string[]) =>
      restored.some((path) => folders.some((folder) => path.startsWith(folder)));
    if (isBelow('/etc/systemd/', '/usr/lib/innkeeper/units/')) await host.systemd.reloadUnits();
    if (isBelow('/etc/ssh/')) await host.systemd.reload('ssh.service');
    if (isBelow('/etc/nginx/')) await host.web.reload();
    return wrong;
  }

  async function checkServices(): Promise<readonly string[]> {
    const present = SERVICES.map(({ name, units }) => ({ name, units: units.filter(hasUnit) }));
    const states = await Promise.all(
      present.map(({ units }) => Promise.all(units.map((unit) => host.systemd.state(unit)))),
    );
    const sentences: string[] = [];
    for (const [at, service] of SERVICES.entries()) {
      const [unit] = present[at]!.units;
      const all = states[at]!;
      if (unit === undefined || all.some(({ active }) => active === 'active' || active === 'reloading')) {
        down.delete(service);
        continue;
      }
      sentences.push(`${service.name} does not run.`);
      const times = (down.get(service) ?? 0) + 1;
      down.set(service, times);
      if (times < PATIENCE || all.some(({ hasJob }) => hasJob) || (await isInstalling())) continue;
      log.warn({ unit }, 'A service that accounts need is not running. The agent is starting it.');
      await host.systemd.startSoon([unit]);
    }
    return sentences;
  }

  async function check(): Promise<void> {
    const files = await attempt(repairFiles);
    const web = await attempt(() => host.web.check());
    const isDue = checks % CHECKS_BETWEEN_SERVICES === 0 || servicesDown.length > 0 || web.length > 0;
    if (isDue) servicesDown = await attempt(checkServices);
    checks += 1;
    const now = [...new Set([...servicesDown, ...web, ...files])];
    if (now.join() !== reasons.join()) {
      if (now.length > 0) log.error({ reasons: now }, 'The server does not meet the needs of its accounts.');
      else log.info('The server meets the needs of its accounts again.');
    }
    reasons = now;
  }

  /** A failed check counts as a problem. */
  async function attempt(work: () => Promise<readonly string[]>): Promise<readonly string[]> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HostError)) log.warn({ err: error }, 'The server check failed.');
      else log.warn({ err: error.message }, 'The repair of the server failed.');
      return ['The repair of the server failed. See the log of the agent.'];
    }
  }

  let underWay = Promise.resolve();
  function run(): void {
    underWay = check().then(() => {
      if (!stopped) cancel = clock.after(EVERY_MS, run);
    });
  }
  run();

  return {
    reasons: () => reasons,
    warnings: () => [...down.keys()].map(({ warning }) => warning),
    async stop() {
      stopped = true;
      cancel();
      await underWay;
    },
  };
}

/** A link is an alias of a unit. systemd does not answer under that name. */
function isInstalled(unit: string): boolean {
  return ['/etc/systemd/system', '/lib/systemd/system'].some(
    (folder) => lstatSync(`${folder}/${unit}`, { throwIfNoEntry: false })?.isFile() === true,
  );
}
