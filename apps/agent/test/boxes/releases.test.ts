import { makeZip } from '@innkeeper/testkit';
import {
  type Box,
  type NpmRegistry,
  startNpmRegistry,
  testInstallation,
  waitUntil,
} from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { specOf } from '../specs.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { appOf, Deploys } from './deploys.ts';
import { findRemains } from './remains.ts';
import { visit } from './site.ts';

/** Apps' files on a real server: starters, archives, builds, Git, rollback, and what is left when they go. */
let server: AgentBox;
let box: Box;
let registry: NpmRegistry;
let deploys: Deploys;

const HOME = '/home/deployer';
const PHP = 1;
const STATIC = 2;
const NODE = 3;
const domain = (domain_id: number, name: string) => ({
  domain_id,
  name,
  is_primary: domain_id === 1,
  desired_state: 'active' as const,
  certificate_revision: 0,
  certificate_email: '',
});
const site = async (name: string, path = '/') => await visit(box.address, `${name}.example.com`, path);
const list = async (path: string) => (await box.exec(['ls', '-A', path])).stdout.split('\n').filter(Boolean);
const tasks = async () =>
  (await box.require(['systemctl', 'list-units', '--plain', '--no-legend', 'innkeeper-task-*'])).trim();
const nodeApp = (files: Record<string, unknown>) =>
  makeZip(
    Object.entries(files).map(([name, data]) => ({
      name,
      data: typeof data === 'string' ? data : JSON.stringify(data),
    })),
  );

beforeAll(async () => {
  server = await startAgentBox('releases');
  box = server.box;
  const { boxes } = await testInstallation();
  registry = await startNpmRegistry(boxes.network.hostAddress);
  const settings = [
    `INNKEEPER_NPM_REGISTRY=${registry.url}`,
    `INNKEEPER_GIT_ALLOWED_NETWORKS=${box.address}`,
    'INNKEEPER_BUILD_TIMEOUT_S=60',
  ];
  await box.require(['sh', '-c', `printf '%s\\n' ${settings.join(' ')} >> /etc/innkeeper/agent.conf`]);
  await box.require(['systemctl', 'restart', 'innkeeper-agent']);
  deploys = new Deploys(
    server,
    specOf({
      account_id: 1,
      uid: 20_001,
      linux_user: 'deployer',
      limits: { ...specOf({}).limits, ram_mb: 1_024, cpu_percent: 200 },
      domains: [domain(1, 'php.example.com'), domain(2, 'static.example.com')],
    }),
  );
  expect(await server.settle(deploys.spec)).toMatchObject({ outcome: 'applied' });
}, 180_000);

afterAll(async () => {
  await registry?.stop();
  await server?.remove();
});

describe('an app that nothing was deployed to', () => {
  test('shows a page that says that it is ready', async () => {
    deploys.want({
      apps: [
        appOf({ app_id: PHP, runtime: 'php', template_key: 'php', domain_id: 1 }),
        appOf({ app_id: STATIC, domain_id: 2 }),
      ],
    });
    expect(await deploys.settled(PHP, 'running')).toMatchObject({ release_id: '0' });
    await deploys.settled(STATIC, 'running');
    expect((await site('php')).body).toContain('It runs PHP 8');
    expect((await site('static')).body).toContain('This app is ready.');
    expect(deploys.statusesOf(PHP)).toEqual(['installing', 'running']);
  });
});
