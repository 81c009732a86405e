import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  createSteps,
  findPorts,
  type HostingServer,
  type InstallationPorts,
  mountStateDir,
  StepError,
  startInstallation,
  stopInstallation,
  withFileLock,
} from '@innkeeper/testkit/machine';
import { buildBundles } from './build.ts';
import { type Demo, ensureDemo } from './up-steps/demo.ts';
import { showStep } from './up-steps/show-step.ts';
import { summaryOf } from './up-steps/summary.ts';

const STATE_DIR = join(import.meta.dirname, '../.run');
const PANEL_FILE = join(STATE_DIR, 'panel.json');
const DEFAULT_PORT = 8443;

/** What `.run/panel.json` holds. It has a secret in it, and only root may read it. */
export interface Panel {
  base_url: string;
  token: string;
  nodes: { id: number; name: string; address: string }[];
  demo: Demo;
}

async function up(nodes: number, port: number | undefined): Promise<Panel> {
  const state = await mountStateDir(STATE_DIR);
  const step = createSteps(join(STATE_DIR, 'log'), showStep);
  await step('Bundles of the apps', () => buildBundles());
  const known = await findPorts(state);
  const ports = port === undefined && known !== undefined ? {} : portsFrom(port ?? DEFAULT_PORT);
  const installation = await startInstallation({ stateDir: STATE_DIR, ports, step });

  const servers: HostingServer[] = [];
  const made = (await installation.boxes.list()).map((box) => box.name);
  const wanted = Array.from({ length: nodes }, (_, index) => `web${index + 1}`);
  for (const name of new Set([...wanted, ...made])) servers.push(await installation.addHostingServer(name));
  const demo = await step('Demo account and its site', (log) => ensureDemo(installation, servers, log));

  const { baseUrl, token } = installation;
  const panel: Panel = {
    base_url: baseUrl,
    token,
    nodes: servers.map(({ id, name, address }) => ({ id, name, address })),
    demo,
  };
  await writeFile(PANEL_FILE, `${JSON.stringify(panel, null, 2)}\n`, { mode: 0o600 });
  return panel;
}

function portsFrom(port: number): Partial<InstallationPorts> {
  return { http: port, grpc: port + 1, metrics: port + 1_021 };
}

/** A first start that is interrupted leaves nothing running; a panel that ran before goes on. */
function stopOnSignal(wasUp: boolean): void {
  const onSignal = async (signal: NodeJS.Signals) => {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    console.error(
      `\n\nInterrupted. ./scripts/up continues from here.${wasUp ? '' : ' Stopping what was started ...'}`,
    );
    if (!wasUp) await stopInstallation(STATE_DIR).catch((error: unknown) => console.error(String(error)));
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
}

const { values } = parseArgs({ options: { nodes: { type: 'string' }, port: { type: 'string' } } });
await mkdir(STATE_DIR, { recursive: true });
stopOnSignal(existsSync(PANEL_FILE));
try {
  const panel = await withFileLock(
    join(STATE_DIR, 'lock'),
    () => up(Number(values.nodes ?? 1), values.port === undefined ? undefined : Number(values.port)),
    'another ./scripts/up or ./scripts/down runs in this checkout: wait for it',
  );
  console.log(summaryOf(panel));
  process.exit(0);
} catch (error) {
  if (error instanceof StepError) {
    console.error(`\nThe step "${error.step}" failed: ${error.reason}\n\nIts log: ${error.logFile}`);
    console.error('./scripts/up continues from here; ./scripts/down stops what runs.');
  } else console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
