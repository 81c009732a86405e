import {
  type AccountView,
  getAccount,
  getHosting,
  type HostingView,
  listAudit,
  listDomains,
  listProblems,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import { Health } from '../../ui/attention.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Facts, Notice, Status } from '../../ui/parts.tsx';
import { type Site, SiteTable, withApps } from '../sites/sites-page.tsx';
import { Events } from './events.tsx';
import { dashboardTexts } from './texts/index.ts';
import { Usage } from './usage.tsx';

const EVENTS_SHOWN = 8;
const SITES_SHOWN = 5;

/** The sites of the account, its usage and its recent activity. `notice`: a message above them. */
export async function dashboard(c: PanelContext, notice?: string): Promise<Response> {
  const texts = textsFor(c, dashboardTexts);
  const ctx = customerContext(c);
  const account_id = ctx.actor.accountId;
  const [account, hosting, domains, { items: events }, problems] = await Promise.all([
    getAccount(ctx, { account_id, include: new Set(['usage']) }),
    getHosting(ctx, { account_id }),
    listDomains(ctx, { hosting_account_id: account_id, page: 1, per_page: SITES_SHOWN }),
    listAudit(ctx, { limit: EVENTS_SHOWN }),
    listProblems(ctx, { account_ids: [account_id] }),
  ]);
  return page(
    c,
    {
      title: texts.title,
      actions: (
        <a class="btn btn-primary" href="/sites/new">
          {texts.newSite}
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
      <Sites c={c} sites={await withApps(ctx, domains.items)} total={domains.total} now={ctx.now()} />
      <Usage usage={account.usage} hosting={hosting} now={ctx.now()} />
      <div class="cols">
        <Card title={texts.recentActivity}>
          <Events events={events} userId={ctx.actor.userId} />
        </Card>
        <Account account={account} hosting={hosting} />
      </div>
    </>,
  );
}

/** The newest sites of the account, or the way to the first one. */
function Sites({
  c,
  sites,
  total,
  now,
}: {
  c: PanelContext;
  sites: readonly Site[];
  total: number;
  now: Date;
}) {
  const texts = useTexts(dashboardTexts);
  return (
    <Card
      title={texts.sites}
      actions={total === 0 ? undefined : <a href="/sites">{texts.allSites(total)}</a>}
    >
      {total === 0 ? (
        <Empty>
          {texts.noSites} <a href="/sites/new">{texts.firstSite}</a>
        </Empty>
      ) : (
        <SiteTable c={c} sites={sites} now={now} />
      )}
    </Card>
  );
}

function Account({ account, hosting: { server } }: { account: AccountView; hosting: HostingView }) {
  const texts = useTexts(dashboardTexts);
  const primary = account.domains.find(({ is_primary }) => is_primary);
  return (
    <Card title={texts.account}>
      <Facts
        facts={[
          [texts.status, <Status status={account.status} />],
          [texts.package, account.package.name],
          [
            texts.primaryDomain,
            primary === undefined ? (
              <a href="/sites/new">{texts.noneYet}</a>
            ) : (
              <a href={`/sites/${primary.id}`}>{primary.domain_name}</a>
            ),
          ],
          [texts.serverAddress, <code>{server.address}</code>],
          [texts.homeFolder, <code>{account.home_path}</code>],
          [texts.phpVersion, server.php_version ?? texts.notReported],
          [
            texts.databaseHost,
            <>
              <code>localhost</code> {texts.forOwnSites}
            </>,
          ],
          [texts.terminalAccess, <Terminal account={account} address={server.address} />],
        ]}
      />
    </Card>
  );
}

function Terminal({ account, address }: { account: AccountView; address: string }) {
  const texts = useTexts(dashboardTexts);
  if (!account.terminal_access) return <>{texts.noTerminal}</>;
  return <>{texts.bySsh(<code>{['ssh', `${account.linux_user}@${address}`].join(' ')}</code>)}</>;
}
