import type { AccountSpec } from '@innkeeper/protocol';
import { type NpmRegistry, startNpmRegistry, testInstallation } from '@innkeeper/testkit/machine';
import { specOf } from '../specs.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { Deploys } from './deploys.ts';
import { type GitOverHttps, startGitOverHttps } from './git-over-https.ts';

/** A box with the account `deployer`. Its apps get npm packages and a repository from this machine. */
export interface DeployBox {
  server: AgentBox;
  deploys: Deploys;
  git: GitOverHttps;
  registry: NpmRegistry;
  remove(): Promise<void>;
}

/** `files` are the first commit of the repository. Its address is among the networks that Git may connect to. */
export async function startDeployBox(
  name: string,
  {
    domains,
    files,
    settings = {},
  }: {
    domains: AccountSpec['domains'];
    files: Record<string, string>;
    settings?: Readonly<Record<string, string | number>>;
  },
): Promise<DeployBox> {
  const { hostAddress } = (await testInstallation()).boxes.network;
  const server = await startAgentBox(name);
  const { box } = server;
  const registry = await startNpmRegistry(hostAddress);
  const git = await startGitOverHttps(hostAddress, files);
  await box.writeFile('/usr/local/share/ca-certificates/git.crt', git.authorityPem);
  await box.require(['update-ca-certificates']);
  await server.configure({
    INNKEEPER_NPM_REGISTRY: registry.url,
    INNKEEPER_GIT_ALLOWED_NETWORKS: `${box.address},${hostAddress}`,
    ...settings,
  });
  const spec = specOf({
    account_id: 1,
    uid: 20_001,
    linux_user: 'deployer',
    limits: { ...specOf({}).limits, ram_mb: 1_024, cpu_percent: 200 },
    domains,
  });
  return {
    server,
    deploys: new Deploys(server, spec),
    git,
    registry,
    remove: async () => {
      await Promise.all([registry.stop(), git.stop()]);
      await server.remove();
    },
  };
}
