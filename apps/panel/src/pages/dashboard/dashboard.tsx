import { getAccount } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { customerContext } from '../../http/session.ts';
import { page } from '../../ui/page.tsx';
import { Card, Facts, Status } from '../../ui/parts.tsx';

/** What the customer has, and how much of it is used. */
export async function dashboard(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  const account = await getAccount(ctx, { account_id: ctx.actor.accountId, include: new Set() });
  return page(
    c,
    { title: 'Dashboard' },
    <Card title="Account">
      <Facts
        facts={[
          ['Status', <Status status={account.status} />],
          ['Package', account.package.name],
          ['Home folder', <code>{account.home_path}</code>],
        ]}
      />
    </Card>,
  );
}
