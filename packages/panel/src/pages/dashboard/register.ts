import { retryAccount } from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { onSubmit, waitForNode } from '../../http/form.ts';
import { goTo } from '../../http/redirect.ts';
import { customer, customerContext, signedIn } from '../../http/session.ts';
import { overviewPage } from '../overview/overview-page.tsx';
import { dashboard } from './dashboard-page.tsx';

const missingTools = {
  '/files':
    'This panel has no file manager yet. Deploy files with an app from a ZIP archive or from Git, or copy them over SSH if the account has terminal access.',
  '/terminal': 'This panel has no terminal yet. If the account has terminal access, use SSH: see below.',
  '/backups': 'This panel has no backups yet. Keep copies of your files and databases elsewhere.',
} as const;

/** The first page: a customer's dashboard, or an operator's overview. */
export function registerDashboard(panel: Panel): void {
  panel.get('/', signedIn, (c) => (c.var.signedInAs?.user.role === 'user' ? dashboard(c) : overviewPage(c)));
  panel.post(
    '/retry',
    customer,
    onSubmit(retry, (c) => dashboard(c)),
  );
  // Login links can point to pages that do not exist yet. These show the dashboard with a message.
  for (const [path, sentence] of Object.entries(missingTools))
    panel.get(path, customer, (c) => dashboard(c, sentence));
}

async function retry(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  await waitForNode(c, await retryAccount(ctx, { account_id: ctx.actor.accountId }));
  return goTo(c, '/');
}
