import {
  type AccountView,
  getAccount,
  getHosting,
  type HostingView,
  listAudit,
  listProblems,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { customerContext } from '../../http/session.ts';
import { Health } from '../../ui/attention.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Facts, Notice, Status } from '../../ui/parts.tsx';
import { Events } from './events.tsx';
import { Usage } from './usage.tsx';

const EVENTS_SHOWN = 10;

/** The account, its usage and its recent activity. `notice`: a message above them. */
export async function dashboard(c: PanelContext, notice?: string): Promise<Response> {
  const ctx = customerContext(c);
  const account_id = ctx.actor.accountId;
  const [account, hosting, { items: events }, problems] = await Promise.all([
    getAccount(ctx, { account_id, include: new Set(['usage']) }),
    getHosting(ctx, { account_id }),
    listAudit(ctx, { limit: EVENTS_SHOWN }),
    listProblems(ctx, { account_ids: [account_id] }),
  ]);
  return page(
    c,
    {
      title: 'Dashboard',
      actions: (
        <a class="btn btn-primary" href="/sites/new">
          New site
        </a>
      ),
    },
    <>
      {notice === undefined ? null : <Notice role="status">{notice}</Notice>}
      <Health
        c={c}
        hosting={hosting}
        status={account.status}
        problems={problems.get(account_id) ?? []}
        path="/"
        retry="/retry"
        hasPages
      />
      <div class="half">
        <Account account={account} hosting={hosting} />
        <Usage usage={account.usage} hosting={hosting} now={ctx.now()} />
      </div>
      <Card title="Recent activity">
        <Events events={events} userId={ctx.actor.userId} />
      </Card>
    </>,
  );
}

function Account({ account, hosting: { server } }: { account: AccountView; hosting: HostingView }) {
  const primary = account.domains.find(({ is_primary }) => is_primary);
  return (
    <Card title="Account">
      <Facts
        facts={[
          ['Status', <Status status={account.status} />],
          ['Package', account.package.name],
          [
            'Primary domain',
            primary === undefined ? (
              <a href="/sites/new">none yet: create a site</a>
            ) : (
              <a href={`/sites/${primary.id}`}>{primary.domain_name}</a>
            ),
          ],
          ['Server address', <code>{server.address}</code>],
          ['Home folder', <code>{account.home_path}</code>],
          ['PHP version', server.php_version ?? 'not reported yet'],
          [
            'Database host',
            <>
              <code>localhost</code> (for your own sites and apps)
            </>,
          ],
          ['Terminal access', <Terminal account={account} address={server.address} />],
        ]}
      />
    </Card>
  );
}

function Terminal({ account, address }: { account: AccountView; address: string }) {
  if (!account.terminal_access) return <>Not available for this account. Your provider can enable it.</>;
  return (
    <>
      By SSH, with the password of this account: <code>{`ssh ${account.linux_user}@${address}`}</code>
    </>
  );
}
