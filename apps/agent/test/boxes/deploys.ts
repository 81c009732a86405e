import { createHash } from 'node:crypto';
import type { AccountSpec, AppSpec } from '@innkeeper/protocol';
import { waitUntil } from '@innkeeper/testkit/machine';
import type { AgentBox } from './agent-box.ts';

type AppStatus = NonNullable<ReturnType<AgentBox['controlPlane']['reportOf']>>['apps'][number];

export function appOf(changes: Partial<AppSpec>): AppSpec {
  return {
    app_id: 1,
    template_key: 'static',
    runtime: 'static',
    installer: 'starter',
    retries: 0,
    desired_state: 'running',
    domain_id: null,
    database_id: null,
    node_version: null,
    start_command: '',
    env: [],
    release: null,
    ...changes,
  };
}

/** One account with apps that a test changes, generation by generation. */
export class Deploys {
  spec: AccountSpec;
  readonly #server: AgentBox;
  #lastRelease = 100;

  constructor(server: AgentBox, spec: AccountSpec) {
    this.#server = server;
    this.spec = spec;
  }

  /** Sets the desired state of the account. */
  want(changes: Partial<AccountSpec>): void {
    this.spec = { ...this.spec, ...changes, generation: this.spec.generation + 1 };
    this.#server.controlPlane.want(this.spec);
  }

  /** Sets the desired state of one app. The others are unchanged. */
  wantApp(appId: number, changes: Partial<AppSpec>): void {
    const others = this.spec.apps.filter(({ app_id }) => app_id !== appId);
    const before = this.spec.apps.find(({ app_id }) => app_id === appId) ?? appOf({ app_id: appId });
    this.want({ apps: [...others, { ...before, ...changes }] });
  }

  /** Requests the deploy of an archive, whose second half is sent after `until`. Returns the id of its release. */
  deploy(appId: number, archive: Buffer, until?: Promise<void>): number {
    this.#lastRelease += 1;
    const releaseId = this.#lastRelease;
    this.#server.controlPlane.holdArchive(releaseId, archive, until);
    this.wantApp(appId, {
      release: {
        release_id: releaseId,
        source: 'zip',
        archive_sha256: createHash('sha256').update(archive).digest('hex'),
        archive_bytes: archive.length,
        git_repository: '',
        git_branch: '',
        git_deploy_key: '',
      },
    });
    return releaseId;
  }

  deployGit(appId: number, repository: string, branch: string, deployKey: string): number {
    this.#lastRelease += 1;
    this.wantApp(appId, {
      release: {
        release_id: this.#lastRelease,
        source: 'git',
        archive_sha256: '',
        archive_bytes: 0,
        git_repository: repository,
        git_branch: branch,
        git_deploy_key: deployKey,
      },
    });
    return this.#lastRelease;
  }

  /** The last reported status of the app in the newest generation. */
  statusOf(appId: number): AppStatus | undefined {
    const report = this.#server.controlPlane.reportOf(this.spec.account_id, this.spec.generation);
    return report?.apps.find(({ app_id }) => Number(app_id) === appId);
  }

  /** Every reported status of the app since a release was requested, each change once. */
  statusesOf(appId: number): string[] {
    return this.#server.controlPlane.reports
      .filter(
        ({ account_id, observed_generation }) =>
          Number(account_id) === this.spec.account_id && Number(observed_generation) === this.spec.generation,
      )
      .flatMap(({ apps }) => apps.find(({ app_id }) => Number(app_id) === appId)?.status ?? [])
      .filter((status, at, all) => status !== all[at - 1]);
  }

  async settled(appId: number, status: string, timeoutMs = 60_000): Promise<AppStatus> {
    let last: AppStatus | undefined;
    try {
      return await waitUntil(
        `app ${appId} to be ${status}`,
        () => {
          last = this.statusOf(appId);
          return last?.status === status && last;
        },
        { timeoutMs },
      );
    } catch (error) {
      throw new Error(`${(error as Error).message}; it is ${JSON.stringify(last)}`, { cause: error });
    }
  }
}
