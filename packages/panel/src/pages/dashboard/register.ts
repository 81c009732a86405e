import { retryAccount } from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { onSubmit, waitForNode } from '../../http/form.ts';
import { goTo } from '../../http/redirect.ts';
import { customer, customerContext, signedIn } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { overviewPage } from '../overview/overview-page.tsx';
import { dashboard } from './dashboard-page.tsx';
import { dashboardTexts } from './texts/index.ts';

/** The first page: a customer's dashboard, or an operator's overview. */
export function registerDashboard(panel: Panel): void {
  panel.get('/', signedIn, (c) => (c.var.signedInAs?.user.role === 'user' ? dashboard(c) : overviewPage(c)));
  panel.post(
    '/retry',
    customer,
    onSubmit(retry, (c) => dashboard(c)),
  );
  // Login links can point to pages that do not exist yet. These show the dashboard with a message.
  for (const path of ['/backups'] as const)
    panel.get(path, customer, (c) => dashboard(c, textsFor(c, dashboardTexts).missingTools[path]));
}

async function retry(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  await waitForNode(c, await retryAccount(ctx, { account_id: ctx.actor.accountId }));
  return goTo(c, '/');
}
