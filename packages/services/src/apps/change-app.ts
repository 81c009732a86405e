import type { AppChange, AppView } from '@innkeeper/contract';
import {
  type AppDetails,
  type AppVariable,
  type Database,
  deleteAppVariables,
  getAppDetails,
  getAppSecrets,
  insertAppVariables,
  updateApp,
  updateAppVariable,
} from '@innkeeper/db';
import { DomainError, ENV_TOTAL_MAX_CHARACTERS, invalidField } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { changedFields } from '../changed-fields.ts';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { scopeOf } from '../scope.ts';
import { assertKept, assertMayRunCode } from './app-policy.ts';
import { type AppSettings, appSettings } from './app-settings.ts';
import { nodeVersionsOf } from './create-app.ts';
import { loadAppView } from './get-app.ts';

/**
 * Changes the settings of an app with a program, by the rules of its install. `env` sets variables, `removed` removes
 * them, all others keep their values, also secret ones; so does the deploy key where none is given. The node restarts
 * the program if it starts with something else now; another repository or branch is used by the next deploy. Throws
 * `not_found`, like `assertMayRunCode`, `invalid`, and `precondition_failed` for an app without a program, one that is
 * being removed, and one whose template is gone.
 */
export async function changeApp(
  ctx: ServiceContext,
  { app_id: id, removed, ...change }: AppChange & { app_id: number; removed: readonly string[] },
): Promise<Written<AppView>> {
  const asked = { action: 'app.update', kind: 'app', id, requireState: assertMayRunCode } as const;
  return await changeDesired(ctx, asked, async (trx, account, now) => {
    const app = await getAppDetails(trx, scopeOf(ctx.actor), id);
    assertKept(app);
    const template = ctx.appTemplates.get(app.template_key);
    if (app.runtime !== 'nodejs' || template === undefined)
      throw new DomainError('precondition_failed', 'The settings of this app cannot be changed.');
    const before = await settingsOf(trx, ctx, app);
    const env = new Map([...before.env, ...change.env]);
    for (const name of removed) env.delete(name);
    requireSize(env);
    const { git = before.git } = change;
    const settings = appSettings(
      { ...template, requires_domain: false },
      {
        node_version: change.node_version ?? before.node_version,
        start_command: change.start_command ?? before.start_command,
        env,
        git: git && { ...git, deploy_key: git.deploy_key ?? before.git?.deploy_key ?? null },
      },
      await nodeVersionsOf(trx, account),
      ctx.gitAllowedNetworks,
    );
    const values = await storeVariables(trx, ctx, app, before.env, settings.variables);
    const program = changedFields(publicFields(before), publicFields(settings));
    const hasNewKey = typeof change.git?.deploy_key === 'string';
    const isNew = values.length > 0 || Object.keys(program.after).length > 0 || hasNewKey;
    if (!isNew) return { details: null, view: () => loadAppView(trx, ctx, id) };
    const startsAnew =
      values.length > 0 || 'node_version' in program.after || 'start_command' in program.after;
    await updateApp(trx, id, {
      node_version: settings.node_version,
      start_command: settings.start_command,
      git_repository: settings.git?.repository ?? null,
      git_branch: settings.git?.branch ?? null,
      ...(hasNewKey && {
        sealed_git_deploy_key: ctx.sealer.seal('deploy-key', change.git?.deploy_key ?? ''),
      }),
      ...(startsAnew && app.state === 'running' && app.status === 'running' && { status: 'starting' }),
      updated_at: now,
    });
    return {
      details: { name: app.name, ...program, ...(values.length > 0 && { changed_variables: values }) },
      view: () => loadAppView(trx, ctx, id),
    };
  });
}

interface Before {
  node_version: string | undefined;
  start_command: string | undefined;
  /** All variables, with the values of secret ones. */
  env: ReadonlyMap<string, string>;
  git: NonNullable<AppSettings['git']> | undefined;
}

async function settingsOf(
  trx: Transaction<Database>,
  { sealer }: ServiceContext,
  app: AppDetails & { variables: readonly AppVariable[] },
): Promise<Before> {
  const { deployKey, variables } = await getAppSecrets(trx, app.id);
  const open = (name: string) => sealer.open('app-variable', variables.get(name) ?? '');
  return {
    node_version: app.node_version ?? undefined,
    start_command: app.start_command ?? undefined,
    env: new Map(app.variables.map(({ name, value }) => [name, value ?? open(name)])),
    git:
      app.git_repository === null
        ? undefined
        : {
            repository: app.git_repository,
            branch: app.git_branch ?? 'main',
            deploy_key: deployKey === null ? null : sealer.open('deploy-key', deployKey),
          },
  };
}

/** Fields for the audit log. Never values of variables or keys. */
function publicFields({ node_version, start_command, git }: Before | AppSettings) {
  return {
    node_version,
    start_command,
    git: git ? { repository: git.repository, branch: git.branch } : null,
  };
}

/** The contract limits what one request sets; this is the same limit for all variables together. */
function requireSize(env: ReadonlyMap<string, string>): void {
  const characters = [...env.values()].reduce((sum, value) => sum + value.length, 0);
  if (characters > ENV_TOTAL_MAX_CHARACTERS)
    throw invalidField(
      'env',
      `The env field must not hold more than ${ENV_TOTAL_MAX_CHARACTERS} characters in all.`,
    );
}

/** Stores the difference. Returns the names of the variables that are new, changed or removed. */
async function storeVariables(
  trx: Transaction<Database>,
  { sealer }: ServiceContext,
  app: AppDetails & { variables: readonly AppVariable[] },
  before: ReadonlyMap<string, string>,
  wanted: AppSettings['variables'],
): Promise<string[]> {
  const stored = (value: string, isSecret: boolean) => ({
    value: isSecret ? null : value,
    sealed_value: isSecret ? sealer.seal('app-variable', value) : null,
  });
  const ids = new Map(app.variables.map(({ id, name }) => [name, id]));
  const names = new Set(wanted.map(({ name }) => name));
  const removed = app.variables.filter(({ name }) => !names.has(name));
  const changed = wanted.filter(({ name, value }) => before.get(name) !== value);
  await deleteAppVariables(
    trx,
    removed.map(({ id }) => id),
  );
  for (const { name, value, is_secret } of changed) {
    const id = ids.get(name);
    const row = { account_id: app.account_id, app_id: app.id, name, ...stored(value, is_secret) };
    if (id === undefined) await insertAppVariables(trx, [row]);
    else await updateAppVariable(trx, id, stored(value, is_secret));
  }
  return [...removed, ...changed].map(({ name }) => name);
}
