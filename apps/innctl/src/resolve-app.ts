import { DomainError } from '@innkeeper/domain';
import { listApps, type OperatorContext } from '@innkeeper/services';
import { resolveAccount } from './resolve-account.ts';

/** Help text of the app argument. */
export const APP_ARGUMENT = 'id of the app, or ACCOUNT/NAME (see: innctl app list)';

const MOST_APPS = 1_000;

/** Finds an app by id, or by account and name. Several apps of an account can have the same name. */
export async function resolveApp(ctx: OperatorContext, text: string): Promise<number> {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const [, account, name] = /^([^/]+)\/(.+)$/s.exec(text) ?? [];
  if (account === undefined || name === undefined) throw missing(text, `Use its id, or ACCOUNT/NAME.`);
  const hosting_account_id = await resolveAccount(ctx, account);
  const { items } = await listApps(ctx, { hosting_account_id, page: 1, per_page: MOST_APPS });
  const ids = items.filter((app) => app.name === name || String(app.id) === name).map(({ id }) => id);
  if (ids.length > 1)
    throw new DomainError(
      'conflict',
      `Several apps match "${shown(text)}". Use one of the ids: ${ids.join(', ')}.`,
    );
  if (ids[0] === undefined) throw missing(text, `See: innctl app list --account ${shown(account)}`);
  return ids[0];
}

function missing(text: string, advice: string): DomainError {
  return new DomainError('not_found', `There is no app "${shown(text)}". ${advice}`);
}

function shown(text: string): string {
  return text.slice(0, 100);
}
