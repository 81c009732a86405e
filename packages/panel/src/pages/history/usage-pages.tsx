import { getAccount, getUsageHistory, type ServiceContext } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { recordId } from '../../http/record-id.ts';
import { customerContext, operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { page } from '../../ui/page.tsx';
import { uiTexts } from '../../ui/texts/index.ts';
import { AccountHistory } from './account-history.tsx';
import { rangeOf } from './range.ts';
import { historyTexts } from './texts/index.ts';

/** The customer's own usage over time. */
export async function ownUsagePage(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  const { dashboard } = textsFor(c, uiTexts).places;
  return usagePage(c, ctx, {
    account_id: ctx.actor.accountId,
    path: '/usage',
    above: [{ name: dashboard, path: '/' }],
  });
}

/** The usage of an account over time, for operators. */
export async function accountUsagePage(c: PanelContext): Promise<Response> {
  const ctx = operatorContext(c);
  const account_id = recordId(c);
  const { username } = await getAccount(ctx, { account_id, include: new Set() });
  return usagePage(c, ctx, {
    account_id,
    path: `/accounts/${account_id}/usage`,
    above: [
      { name: textsFor(c, uiTexts).places.accounts, path: '/accounts' },
      { name: username, path: `/accounts/${account_id}` },
    ],
  });
}

async function usagePage(
  c: PanelContext,
  ctx: ServiceContext,
  { account_id, path, above }: { account_id: number; path: string; above: { name: string; path: string }[] },
): Promise<Response> {
  const range = rangeOf(c);
  const points = await getUsageHistory(ctx, { account_id, range });
  return page(
    c,
    { title: textsFor(c, historyTexts).usage, above },
    <AccountHistory path={path} range={range} points={points} />,
  );
}
