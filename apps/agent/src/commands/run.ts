import { X509Certificate } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { ConfigError, isAccountUid } from '@innkeeper/domain';
import { startAgent } from '../agent.ts';
import { answerAppLog } from '../capabilities/apps/programs/app-log.ts';
import { watchPrograms } from '../capabilities/apps/programs/program-watch.ts';
import type { FetchArchive } from '../capabilities/apps/releases/archives.ts';
import { observeClaim, ownerOf } from '../capabilities/claim.ts';
import { controlPlaneEndpoints } from '../capabilities/firewall/control-plane-endpoints.ts';
import type { FirewallSettings } from '../capabilities/firewall/firewall-table.ts';
import { keepFirewall } from '../capabilities/firewall/keep-firewall.ts';
import { watchHomes } from '../capabilities/home/home-watch.ts';
import { driversFor, expectAccounts } from '../capabilities/index.ts';
import { mailGroup } from '../capabilities/mail/account-mail.ts';
import { MailQueue } from '../capabilities/mail/mail-queue.ts';
import { MailTest } from '../capabilities/mail/mail-test.ts';
import { MailWatch } from '../capabilities/mail/mail-watch.ts';
import { POSTFIX_UNIT, Postfix, SUBMISSION_UNIT } from '../capabilities/mail/postfix.ts';
import { senderDomain } from '../capabilities/mail/postfix-config.ts';
import { createNodeHost } from '../capabilities/node-host.ts';
import { IdlePhp } from '../capabilities/php/idle-php.ts';
import { TerminalSessions } from '../capabilities/terminal/terminals.ts';
import { createOpenEnd } from '../channels/channel-ends.ts';
import { Channels } from '../channels/channels.ts';
import { type Config, VERSION } from '../config.ts';
import { ControlPlaneClient } from '../control-plane/control-plane-client.ts';
import { findIdentity } from '../control-plane/identity-store.ts';
import { Ledger } from '../ledger/ledger.ts';
import { LedgerSeal } from '../ledger/ledger-seal.ts';
import { Changes, takeCrashTrigger } from '../node/changes.ts';
import { systemClock } from '../node/clock.ts';
import { replaceFile } from '../node/durable-files.ts';
import { Exec } from '../node/exec.ts';
import { watchFullDisks } from '../node/full-disks.ts';
import { giveBackMemory, ofThisProcess } from '../node/give-back-memory.ts';
import type { Systemd } from '../node/host.ts';
import { findWeakProtections } from '../node/kernel-protections.ts';
import { createLog } from '../node/log.ts';
import { findOpenFolders } from '../node/open-folders.ts';
import { readServerLoad } from '../node/server-load.ts';
import { findVisibleProcesses, type Weakness, watchServerWarnings } from '../node/server-warnings.ts';
import { startServerWatch } from '../node/server-watch.ts';
import { createNotify } from '../node/systemd-notify.ts';
import { NodeSettingsKeeper } from '../settings/node-settings.ts';
import { createMetrics } from '../status/metrics.ts';
import { watchNodeFigures } from '../status/node-figures.ts';
import { createSupervisor } from '../supervisor.ts';
import { startUsage } from '../usage/usage.ts';
import { UsageReporter } from '../usage/usage-reporter.ts';
import { serveStatus } from './serve-status.ts';

/** Uids with too much in the queue, for the mail service. */
const MAIL_FULL = '/run/innkeeper/mail-full';
/** Outside the agent's state folder, so that a copy of that folder contains no plaintext secret. */
const NODE_SETTINGS = '/etc/innkeeper/node-settings.json';
const LEDGER_KEY = '/etc/innkeeper/ledger.key';

/**
 * The service. Runs until SIGTERM or SIGINT. SIGHUP queues a pass for every account. Throws any error that prevents the
 * start.
 */
export async function run(config: Config): Promise<number> {
  const log = createLog(config.logLevel);
  const identity = await findIdentity(config.stateDir);
  if (identity === undefined)
    throw new ConfigError('This server is not enrolled. Run: innkeeper-agent enroll --token-file FILE');

  const metrics = createMetrics(VERSION);
  const ledger = await Ledger.open(path.join(config.stateDir, 'ledger'), await LedgerSeal.open(LEDGER_KEY));
  const { stateDir, control } = config;
  const controlPlane = new ControlPlaneClient({ identity, stateDir, control, log });
  const fetchArchive: FetchArchive = (...wanted) => controlPlane.fetchArchive(...wanted);
  const changes = new Changes(takeCrashTrigger());
  const exec = new Exec(changes);
  const mailQueue = new MailQueue({ exec });
  const host = createNodeHost(
    {
      ...config,
      release: await realpath(path.dirname(process.argv[1] ?? '')),
      fetchArchive,
      mailQueue,
      firewall: () => firewallOf(config),
      certificates: {
        directoryUrl: config.acmeDirectory,
        caPem: await readAcmeCa(config),
        ordersOfNameADay: config.acmeOrdersOfNameADay,
        publicAddresses: config.publicAddresses,
        onEnded: (uid) => agent.check(uid),
        onTrouble: (error) => log.error({ err: error }, 'A certificate failed with an unexpected error.'),
      },
      // Accounts lost with a damaged ledger still count as accounts, until the control plane has sent them again.
      isAccount: (uid) =>
        isAccountUid(uid) &&
        (ledger.incomplete || (ledger.findByUid(uid)?.spec.desired_state ?? 'absent') !== 'absent'),
    },
    exec,
    changes,
  );
  const idlePhp = new IdlePhp(host, config.phpIdleMs, (uid) => {
    const spec = ledger.findByUid(uid)?.spec;
    return spec === undefined ? undefined : ownerOf(spec);
  });
  const postfix = new Postfix({ exec, systemd: host.systemd, queue: mailQueue });
  const settings = new NodeSettingsKeeper({
    file: NODE_SETTINGS,
    apply: ({ mail_relay }) => postfix.apply(mail_relay),
    everyMs: config.driftIntervalMs,
    clock: systemClock,
    log,
  });
  await settings.open();
  // A second agent on this server fails here, before it touches anything.
  const served = await serveStatus(config, { metrics, status: () => agent.status() });
  expectAccounts(ledger.specs(), host);
  const serverWatch = startServerWatch({ host, clock: systemClock, log });
  const warnings = watchServerWarnings({
    find: async () => [
      ...(await findWeakProtections()),
      ...(await findOpenFolders(config.stateDir)).map((sentence) => weakness('FOLDER_OPEN', sentence)),
      ...(await findVisibleProcesses()),
      ...((await host.quota.isEnforced())
        ? []
        : [weakness('DISK_QUOTA_MISSING', 'The file system of /home has no user quotas.')]),
      ...(host.cgroups.ioLimits
        ? []
        : [weakness('IO_LIMITS_MISSING', '/home has no block device, or cgroups have no io controller.')]),
      ...ledger.quarantined.map(({ file }) => weakness('LEDGER_DAMAGED', `${file} is damaged.`)),
    ],
    everyMs: config.driftIntervalMs,
    clock: systemClock,
    log,
  });
  const channels = new Channels({
    ledger,
    isOwn: async (spec) => (await observeClaim(spec, host)).obstacle === undefined,
    openEnd: createOpenEnd({
      accountPrograms: host.accountPrograms,
      terminals: new TerminalSessions(host.accountPrograms, systemClock),
    }),
    call: (question) => controlPlane.openChannel(question),
    gauge: metrics.channels,
    clock: systemClock,
    log,
  });
  host.accountPrograms
    .sweep()
    .catch((error: unknown) => log.warn({ err: error }, 'Programs of earlier channels could not be ended.'));
  const stopDisks = watchFullDisks({
    set: (isFull) => warnings.set('DISK_FULL', isFull),
    clock: systemClock,
    log,
  });
  const mailWatch = new MailWatch({
    queue: mailQueue,
    specOf: (uid) => ledger.findByUid(uid)?.spec,
    findAccount: (accountId) => ledger.find(accountId)?.spec,
    check: (uid) => agent.check(uid),
    // While a part of the ledger is missing a message may be of an account that the control plane has still to send.
    deleteOf: async (uid) => {
      if (!ledger.incomplete && ledger.quarantined.length === 0 && isAccountUid(uid))
        await mailQueue.change('-d', uid);
    },
    writeFull: async (uids) =>
      await replaceFile(MAIL_FULL, uids.map((uid) => `${uid}\n`).join(''), {
        mode: 0o640,
        gid: await mailGroup(),
      }),
    runs: () => mailRuns(host.systemd, settings),
    onRuns: (runs) => warnings.set('MAIL_DOWN', !runs),
    clock: systemClock,
    unixMs: Date.now,
    log,
  });
  const mailTest = new MailTest({
    exec,
    senderDomain: () => senderDomainOf(settings),
    unixMs: Date.now,
  });
  const agent = startAgent({
    settings,
    serverWarnings: () => [...warnings.codes(), ...serverWatch.warnings()].sort(),
    serverReasons: () => serverWatch.reasons(),
    figures: watchNodeFigures({
      metrics,
      status: () => agent.status(),
      homes: '/home',
      mail: () => mailWatch.figures(),
      now: () => systemClock.now(),
    }),
    onSpec: () => channels.check(),
    version: VERSION,
    config,
    controlPlane,
    host,
    driversFor,
    sweepIdlePhp: (now) => idlePhp.sweep(now),
    ledger,
    metrics,
    clock: systemClock,
    random: Math.random,
    log,
  });
  const usage = startUsage({
    host,
    ledger,
    check: (uid) => agent.check(uid),
    settled: agent.idle(),
    trafficReadMs: config.trafficReadMs,
    reporter: new UsageReporter({ controlPlane, clock: systemClock, random: Math.random, log }),
    mail: () => mailWatch.report(),
    serverLoad: readServerLoad,
    unixMs: Date.now,
    metrics,
    clock: systemClock,
    log,
  });
  settings.start();
  mailWatch.start();
  controlPlane.onAsk('account-mail', (question) => mailWatch.answer(question));
  controlPlane.onAsk('mail-test', async ({ to }) =>
    to === null ? mailTest.state : await mailTest.start(to),
  );
  controlPlane.onAsk('usage', (question) => usage.answer(question));
  controlPlane.onAsk('app-log', (question) =>
    answerAppLog(question, { ledger, read: (...of) => host.programs.log(...of) }),
  );
  controlPlane.onAsk('build-log', (question) =>
    answerAppLog(question, { ledger, read: (...of) => host.appFiles.buildLog(...of) }),
  );
  controlPlane.onAsk('open-channel', (question) => channels.answer(question));
  const stopFirewall = keepFirewall({
    ensure: () => host.firewall.ensure(),
    gauge: {
      set: (value) => {
        metrics.firewall.set(value);
        warnings.set('FIREWALL_MISSING', value === 0);
      },
    },
    everyMs: config.driftIntervalMs,
    clock: systemClock,
    log,
  });
  const unwatch = watchPrograms(
    (uid) => agent.check(uid),
    (error) =>
      log.warn(
        { err: error },
        'The agent cannot watch the programs of apps. It checks them only in the drift check.',
      ),
  );
  const unwatchHomes = watchHomes(
    (name) => {
      const entry = ledger.findByUser(name);
      if (entry !== undefined) agent.check(entry.spec.uid);
    },
    (error) => {
      warnings.set('HOMES_UNWATCHED', true);
      log.warn(
        { err: error },
        'The agent cannot watch the access rights of homes. It checks them only in the drift check.',
      );
    },
  );
  const supervisor = createSupervisor({
    notify: createNotify(config.notifySocket, exec),
    watchdogMs: config.watchdogMs,
    oldestStepMs: () => agent.oldestStepMs(),
    clock: systemClock,
    log,
  });
  const stopGivingBack = giveBackMemory({ ...ofThisProcess, clock: systemClock });
  process.on('SIGHUP', () => {
    agent.reconcileAll();
    served
      .renew()
      .catch((error: unknown) =>
        log.error(
          { err: error },
          'The metrics server could not load its TLS files again. It keeps the current ones.',
        ),
      );
  });
  const ended = new Promise<NodeJS.Signals>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });

  await supervisor.ready();
  log.info({ version: VERSION, accounts: ledger.size }, 'The agent is running.');
  log.info({ signal: await ended }, 'The agent is stopping. Sites and services of accounts keep running.');
  await supervisor.stopping();
  stopGivingBack();
  stopFirewall();
  stopDisks();
  warnings.stop();
  unwatch();
  unwatchHomes();
  channels.stop();
  await Promise.all([agent.stop(), usage.stop(), serverWatch.stop(), settings.stop(), mailWatch.stop()]);
  await host.certificates.stop();
  await controlPlane.close();
  await served.close();
  return 0;
}

/** Whether the services run that take and deliver mail of accounts; true without a relay, and while one is being set. */
async function mailRuns(
  systemd: Systemd,
  { settings, problem, hasFailed }: NodeSettingsKeeper,
): Promise<boolean> {
  if (settings === undefined || settings.mail_relay === null) return true;
  if (problem !== '') return !hasFailed;
  const states = await Promise.all([POSTFIX_UNIT, SUBMISSION_UNIT].map((unit) => systemd.state(unit)));
  return states.every(({ active }) => active === 'active' || active === 'reloading');
}

function senderDomainOf({ settings }: NodeSettingsKeeper): string | undefined {
  const relay = settings?.mail_relay ?? null;
  return relay === null ? undefined : senderDomain(relay, hostname());
}

/** Builds the settings from the agent's configuration and from its newest identity. */
async function firewallOf(config: Config): Promise<FirewallSettings> {
  const identity = await findIdentity(config.stateDir);
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'latin1').catch(() => '');
  const addresses = [config.statusAddress, config.remoteMetrics?.address].flatMap((one) => one ?? []);
  return {
    controlPlane: await controlPlaneEndpoints(
      config.control ?? identity?.control,
      identity?.nats_url ?? null,
    ),
    agentPorts: addresses.map((address) => Number(address.slice(address.lastIndexOf(':') + 1))),
    firstClientPort: Number(/^\d+/.exec(range)?.[0] ?? '32768'),
  };
}

function weakness(code: Weakness['code'], sentence: string): Weakness {
  return { code, sentence };
}

async function readAcmeCa({ acmeCaFile }: Config): Promise<string | undefined> {
  if (acmeCaFile === undefined) return undefined;
  try {
    const pem = await readFile(acmeCaFile, 'utf8');
    // Throws if it is not a certificate.
    new X509Certificate(pem);
    return pem;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`INNKEEPER_ACME_CA_FILE must be readable certificates in PEM: ${message}`);
  }
}
