import type { AppView, NewApp } from '@innkeeper/contract';
import {
  type AccountRow,
  countRecords,
  type Database,
  findDomainForApp,
  findNodeVersions,
  insertApp,
  insertAppVariables,
  insertRelease,
  updateApp,
} from '@innkeeper/db';
import {
  APPS_PER_ACCOUNT,
  type AppTemplate,
  DomainError,
  invalidField,
  recordSentences,
} from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { addDatabase } from '../databases/add-database.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { assertMayRunCode } from './app-policy.ts';
import { type AppSettings, appSettings } from './app-settings.ts';
import { loadAppView } from './get-app.ts';

/**
 * Installs an app from a template, with its own database if the template requires one. Throws `not_found`, like
 * `assertMayRunCode`, `invalid` with the fields that the template or the account refuse, and `quota_exceeded`.
 */
export async function createApp(ctx: ServiceContext, input: NewApp): Promise<Written<AppView>> {
  const { hosting_account_id: accountId, template_key, domain_id } = input;
  const asked = {
    action: 'app.create',
    kind: 'account',
    id: accountId,
    requireState: assertMayRunCode,
  } as const;
  return await changeDesired(ctx, asked, async (trx, account, now) => {
    const template = ctx.appTemplates.get(template_key);
    if (template === undefined)
      throw invalidField('template_key', recordSentences.selectionInvalid('template_key'));
    const versions = await nodeVersionsOf(trx, account);
    const settings = appSettings(template, input, versions, ctx.gitAllowedNetworks);
    await requireOwnDomain(trx, account, domain_id);
    await requireRoom(trx, account);
    const id = await insert(trx, ctx, account, { template, settings, input, now });
    return {
      target: `app:${id}`,
      details: { before: null, after: publicFields(input, settings) },
      view: () => loadAppView(trx, ctx, id),
    };
  });
}

/** Versions of Node.js on the account's server. Empty if the node has not reported them. */
export async function nodeVersionsOf(trx: Transaction<Database>, account: AccountRow): Promise<string[]> {
  return JSON.parse((await findNodeVersions(trx, account.node_id)) ?? '[]');
}

async function requireOwnDomain(
  trx: Transaction<Database>,
  account: AccountRow,
  domainId: number | undefined,
): Promise<void> {
  if (domainId === undefined) return;
  if ((await findDomainForApp(trx, account.id, domainId)) === undefined)
    throw invalidField('domain_id', recordSentences.selectionInvalid('domain_id'));
}

/**
 * Apps that are being removed do not count against the limit, but a node accepts only `APPS_PER_ACCOUNT` apps of one
 * account, including these.
 */
async function requireRoom(trx: Transaction<Database>, account: AccountRow): Promise<void> {
  const { all, kept } = await countRecords(trx, 'apps', account.id);
  if (kept >= account.max_apps || all >= APPS_PER_ACCOUNT)
    throw new DomainError(
      'quota_exceeded',
      `App limit reached (${Math.min(account.max_apps, APPS_PER_ACCOUNT)}).`,
    );
}

/** Inserts the app with all its records. Returns its id. */
async function insert(
  trx: Transaction<Database>,
  ctx: ServiceContext,
  account: AccountRow,
  {
    template,
    settings,
    input,
    now,
  }: { template: AppTemplate; settings: AppSettings; input: NewApp; now: Date },
): Promise<number> {
  const { git, variables, node_version, start_command } = settings;
  const { sealer } = ctx;
  const times = { created_at: now, updated_at: now };
  const id = await insertApp(trx, {
    account_id: account.id,
    name: input.name,
    template_key: template.key,
    runtime: template.runtime,
    installer: template.installer,
    status: 'installing',
    domain_id: input.domain_id ?? null,
    node_version,
    start_command,
    git_repository: git?.repository ?? null,
    git_branch: git?.branch ?? null,
    sealed_git_deploy_key:
      typeof git?.deploy_key === 'string' ? sealer.seal('deploy-key', git.deploy_key) : null,
    ...times,
  });
  await insertAppVariables(
    trx,
    variables.map(({ name, value, is_secret }) => ({
      account_id: account.id,
      app_id: id,
      name,
      value: is_secret ? null : value,
      sealed_value: is_secret ? sealer.seal('app-variable', value) : null,
    })),
  );
  if (template.database)
    await updateApp(trx, id, {
      database_id: await addDatabase(trx, ctx, account, { name: undefined, app_id: id }),
    });
  if (git !== null)
    await updateApp(trx, id, {
      release_id: await insertRelease(trx, {
        account_id: account.id,
        app_id: id,
        source: 'git',
        state: 'wanted',
        archive_sha256: null,
        archive_bytes: null,
        ...times,
      }),
    });
  return id;
}

/** Details for the audit log: the names of variables, without values and without keys. */
function publicFields({ name, template_key, domain_id }: NewApp, settings: AppSettings): object {
  const { node_version, start_command, variables, git } = settings;
  return {
    name,
    template_key,
    domain_id: domain_id ?? null,
    node_version,
    start_command,
    env: variables.map((variable) => variable.name),
    git: git === null ? null : { repository: git.repository, branch: git.branch },
  };
}
