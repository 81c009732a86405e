import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  createSteps,
  endRunningPrograms,
  findDaemon,
  findPorts,
  type HostingServer,
  type InstallationPorts,
  mountStateDir,
  type RunStep,
  StepError,
  startInstallation,
  stopInstallation,
  withFileLock,
} from '@innkeeper/testkit/machine';
import { buildBundles } from './build.ts';
import { type AppSources, ensureAppSources } from './up-steps/app-sources.ts';
import { ensureConformanceTokens } from './up-steps/conformance-tokens.ts';
import { type Demo, ensureDemo } from './up-steps/demo.ts';
import { showStep } from './up-steps/show-step.ts';
import { summaryOf } from './up-steps/summary.ts';

const STATE_DIR = join(import.meta.dirname, '../.run');
const INSTALLATION_FILE = join(STATE_DIR, 'panel.json');
const DEFAULT_PORT = 8443;
const VIRTUAL_SERVER = 'vm1';

/** The content of `.run/panel.json`. It contains a secret, and only root may read it. */
export interface InstallationFile {
  base_url: string;
  token: string;
  nodes: { id: number; name: string; address: string }[];
  demo: Demo;
  app_sources: AppSources;
  /** Path of the tokens for ./scripts/conformance, if they were requested. */
  conformance_tokens?: string;
}

interface Wishes {
  nodes: number;
  vm: boolean;
  port: number | undefined;
  rateLimit: number | undefined;
  conformance: boolean;
}

async function up(
  { nodes, vm, port, rateLimit, conformance }: Wishes,
  signal: AbortSignal,
): Promise<InstallationFile> {
  const state = await mountStateDir(STATE_DIR);
  const shownStep = createSteps(join(STATE_DIR, 'log'), showStep);
  const step: RunStep = async (name, work) => {
    signal.throwIfAborted();
    return await shownStep(name, work);
  };
  await step('Bundles of the apps', () => buildBundles());
  const known = await findPorts(state);
  const ports = port === undefined && known !== undefined ? {} : portsFrom(port ?? DEFAULT_PORT);
  const installation = await startInstallation({ stateDir: STATE_DIR, ports, rateLimit, step });

  const servers: HostingServer[] = [];
  const made = (await installation.boxes.list()).map((box) => box.name);
  const wanted = Array.from({ length: nodes }, (_, index) => `web${index + 1}`);
  for (const name of new Set([...wanted, ...made])) servers.push(await installation.addHostingServer(name));
  const machines = (await installation.virtualMachines.list()).map((machine) => machine.name);
  for (const name of new Set([...(vm ? [VIRTUAL_SERVER] : []), ...machines]))
    servers.push(await installation.addVirtualServer(name));
  const app_sources = await step('Sources of apps', (log) => ensureAppSources(installation, servers, log));
  const demo = await step('Demo account and its site', (log) => ensureDemo(installation, servers, log));

  const tokens = conformance
    ? await step('Tokens for the conformance suite', () => ensureConformanceTokens(installation))
    : undefined;

  const { baseUrl, token } = installation;
  const content: InstallationFile = {
    base_url: baseUrl,
    token,
    nodes: servers.map(({ id, name, address }) => ({ id, name, address })),
    demo,
    app_sources,
    ...(tokens === undefined ? {} : { conformance_tokens: tokens }),
  };
  await writeFile(INSTALLATION_FILE, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  return content;
}

function portsFrom(port: number): Partial<InstallationPorts> {
  return { http: port, grpc: port + 1, metrics: port + 1_021 };
}

/**
 * An interrupted first start leaves nothing running; an installation that ran before keeps running. The work in progress ends
 * first, so that it cannot start anything after everything was stopped.
 */
async function endOnSignal(signal: NodeJS.Signals, wasUp: boolean, work: Promise<unknown>): Promise<never> {
  const stopping = wasUp ? '' : ' Stopping what this call started ...';
  console.error(`\n\nInterrupted. Run ./scripts/up again to continue.${stopping}`);
  endRunningPrograms();
  await Promise.race([work.catch(() => {}), delay(10_000)]);
  if (!wasUp) await stopInstallation(STATE_DIR).catch((error: unknown) => console.error(String(error)));
  process.exit(signal === 'SIGINT' ? 130 : 143);
}

function report(error: unknown): void {
  if (error instanceof StepError) {
    console.error(`\nThe step "${error.step}" failed: ${error.reason}\n\nIts log is ${error.logFile}`);
    console.error('Run ./scripts/up again to continue, or ./scripts/down to stop what runs.');
  } else console.error(`\n${error instanceof Error ? error.message : String(error)}`);
}

const { values } = parseArgs({
  options: {
    nodes: { type: 'string' },
    vm: { type: 'boolean' },
    port: { type: 'string' },
    'rate-limit': { type: 'string' },
    conformance: { type: 'boolean' },
  },
});
const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));
await mkdir(STATE_DIR, { recursive: true });
const wasUp = (await findDaemon(join(STATE_DIR, 'pids'), 'api')) !== undefined;
const interruption = new AbortController();
const work = withFileLock(
  join(STATE_DIR, 'lock'),
  () =>
    up(
      {
        nodes: Number(values.nodes ?? 1),
        vm: values.vm ?? false,
        port: numberOf(values.port),
        rateLimit: numberOf(values['rate-limit']),
        conformance: values.conformance ?? false,
      },
      interruption.signal,
    ),
  'Another ./scripts/up or ./scripts/down runs in this checkout. Wait until it ends.',
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) return;
    interruption.abort();
    void endOnSignal(signal, wasUp, work);
  });
}
try {
  const content = await work;
  if (!interruption.signal.aborted) {
    console.log(summaryOf(content));
    process.exit(0);
  }
} catch (error) {
  if (!interruption.signal.aborted) {
    report(error);
    process.exit(1);
  }
}
