import { join } from 'node:path';
import type { AccountSpec } from '@innkeeper/protocol';
import {
  type Box,
  type BoxSystem,
  RELEASE_IN_BOX,
  startInstalledBox,
  testInstallation,
  waitUntil,
} from '@innkeeper/testkit/machine';
import { type AgentStatus, agentStatusSchema } from '../../src/status/agent-status.ts';
import { ControlPlaneServer, type WireReport } from '../control-plane-server.ts';

const RELEASE = join(import.meta.dirname, '../../../../dist/agent');

/** A box with the agent of this checkout, and a control plane in the test. The agent has no other control plane. */
export interface AgentBox {
  box: Box;
  controlPlane: ControlPlaneServer;
  /**
   * Sets the desired state of the account and waits until the report of that generation shows it, or shows a failure.
   */
  settle(spec: AccountSpec): Promise<WireReport>;
  /** Restarts the agent with these settings in addition to its current ones. */
  configure(settings: Readonly<Record<string, string | number>>): Promise<void>;
  status(): Promise<AgentStatus>;
  /** Number of automatic restarts of the agent by systemd. */
  restarts(): Promise<number>;
  /** Sum of a metric over all its labels. */
  metric(name: string): Promise<number>;
  remove(): Promise<void>;
}

/** Starts a box with the release unpacked and nothing installed. */
export async function startBareBox(
  name: string,
  system?: BoxSystem,
): Promise<{ box: Box; controlPlane: ControlPlaneServer }> {
  const { boxes } = await testInstallation();
  await boxes.remove(name);
  const box = await boxes.start(name, system === undefined ? {} : { system });
  await box.copyIn(RELEASE, RELEASE_IN_BOX);
  return { box, controlPlane: await ControlPlaneServer.start(boxes.network.hostAddress) };
}

/** Runs the installer in a box. Every exit code is a result. */
export async function install(box: Box, args: readonly string[]) {
  return await box.exec([`${RELEASE_IN_BOX}/install.sh`, ...args], { timeoutMs: 120_000 });
}

/** Returns the installer's arguments for a first installation. */
export async function firstInstallation(box: Box, controlPlane: ControlPlaneServer): Promise<string[]> {
  await box.writeFile('/root/join-token', controlPlane.joinToken(), { mode: 0o600 });
  return ['--control', controlPlane.address, '--join-token-file', '/root/join-token'];
}

/**
 * Starts a box with the agent installed and enrolled; with `system` not on the default one. `install.test.ts` tests the
 * installation itself. `look` sees the box before it.
 */
export async function startAgentBox(
  name: string,
  system?: BoxSystem,
  look?: (box: Box) => Promise<void>,
): Promise<AgentBox> {
  const installation = await testInstallation();
  const { boxes } = installation;
  // Tests of the api share these servers, and run at the same time.
  if (/^web\d+$/.test(name)) throw new Error(`${name} is a server of the api's tests`);
  await boxes.remove(name);
  const box =
    system === undefined ? await startInstalledBox(installation, name) : await boxes.start(name, { system });
  if (system !== undefined) await box.copyIn(RELEASE, RELEASE_IN_BOX);
  await look?.(box);
  const controlPlane = await ControlPlaneServer.start(boxes.network.hostAddress);
  const installed = await install(box, await firstInstallation(box, controlPlane));
  if (installed.exitCode !== 0) throw new Error(`${installed.stdout}\n${installed.stderr}`);
  await hurry(box);
  return {
    box,
    controlPlane,
    configure: (settings) => configure(box, settings),
    settle: async (spec) => {
      controlPlane.want(spec);
      const what = `account ${spec.account_id} to be ${spec.desired_state} (generation ${spec.generation})`;
      const last = () => controlPlane.reportOf(spec.account_id, spec.generation);
      try {
        return await waitUntil(
          what,
          () => {
            const report = last();
            return report !== undefined && report.outcome !== 'progressing' && report;
          },
          { timeoutMs: 60_000 },
        );
      } catch (error) {
        const unmet = last()?.conditions.filter(({ reason }) => reason !== 'Applied');
        throw new Error(`${(error as Error).message}; it is ${JSON.stringify(unmet)}`, { cause: error });
      }
    },
    status: async () =>
      agentStatusSchema.parse(
        JSON.parse(
          await box.require([
            'curl',
            '-s',
            '--unix-socket',
            '/run/innkeeper/agent.sock',
            'http://agent/status',
          ]),
        ),
      ),
    restarts: async () => {
      const shown = await box.require(['systemctl', 'show', '-P', 'NRestarts', 'innkeeper-agent']);
      return Number(shown);
    },
    metric: async (metric) => {
      const text = await box.require(['curl', '-s', 'http://127.0.0.1:9465/metrics']);
      const lines = text
        .split('\n')
        .filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
    remove: async () => {
      controlPlane.stop();
      await boxes.remove(name);
    },
  };
}

/** Shortens waits that only make tests slower: between polls, and before systemd restarts the agent. */
async function hurry(box: Box): Promise<void> {
  const unit = 'innkeeper-agent.service';
  await box.writeFile(`/etc/systemd/system/${unit}.d/test.conf`, '[Service]\nRestartSec=50ms\n');
  await box.require(['systemctl', 'daemon-reload']);
  await configure(box, { INNKEEPER_POLL_INTERVAL_MS: 100 });
}

async function configure(box: Box, settings: Readonly<Record<string, string | number>>): Promise<void> {
  const path = '/etc/innkeeper/agent.conf';
  const kept = (await box.readFile(path))
    .split('\n')
    .filter((line) => line !== '' && !Object.hasOwn(settings, line.split('=', 1)[0]!));
  const added = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  await box.writeFile(path, `${[...kept, ...added].join('\n')}\n`);
  await box.require(['systemctl', 'restart', 'innkeeper-agent']);
}
