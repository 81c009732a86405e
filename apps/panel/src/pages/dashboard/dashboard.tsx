import { type AccountView, getAccount, getHosting, type HostingView, listAudit } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { customerContext } from '../../http/session.ts';
import { page } from '../../ui/page.tsx';
import { Card, Facts, Live, Status } from '../../ui/parts.tsx';
import { Events } from './events.tsx';
import { Usage } from './usage.tsx';

const EVENTS_SHOWN = 10;

/** What the customer has, how much of it is used, and what happened last. `notice`: what to say before that. */
export async function dashboard(c: PanelContext, notice?: string): Promise<Response> {
  const ctx = customerContext(c);
  const account_id = ctx.actor.accountId;
  const [account, hosting, { items: events }] = await Promise.all([
    getAccount(ctx, { account_id, include: new Set(['usage']) }),
    getHosting(ctx, { account_id }),
    listAudit(ctx, { limit: EVENTS_SHOWN }),
  ]);
  return page(
    c,
    { title: 'Dashboard' },
    <>
      {notice === undefined ? null : (
        <p class="notice" role="status">
          {notice}
        </p>
      )}
      <Applied {...hosting} />
      <div class="columns">
        <Account account={account} hosting={hosting} />
        <Usage usage={account.usage} hosting={hosting} now={ctx.now()} />
      </div>
      <Card title="What happened last">
        <Events events={events} userId={ctx.actor.userId} />
      </Card>
    </>,
  );
}

/** Whether all that was asked for is true on the server. */
function Applied({ applied, server }: HostingView) {
  return (
    <Live id="applied" busy={applied === 'under_way'} path="/">
      {appliedSentence(applied, server.online)}
    </Live>
  );
}

function appliedSentence(applied: HostingView['applied'], isOnline: boolean) {
  if (applied === 'yes') return <p class="soft">All changes are applied on the server.</p>;
  if (applied === 'failed')
    return (
      <p class="refusal">
        The server could not apply all of the newest changes, and keeps trying. What it is about stands with
        the domain, the database or the app; if nothing helps, ask your provider.
      </p>
    );
  return isOnline ? (
    <p class="waiting">The newest changes are being applied on the server. This takes a few seconds.</p>
  ) : (
    <p class="waiting">
      The server does not answer at the moment. The newest changes are kept, and applied as soon as it does.
    </p>
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
              <a href="/domains">none yet: add one</a>
            ) : (
              <a href={`/domains/${primary.id}`}>{primary.domain_name}</a>
            ),
          ],
          ['Server address', <code>{server.address}</code>],
          ['Home folder', <code>{account.home_path}</code>],
          ['PHP version', server.php_version ?? 'The server has not said it yet'],
          [
            'Database host',
            <>
              <code>localhost</code>, for your own sites and apps
            </>,
          ],
          ['Terminal access', <Terminal account={account} address={server.address} />],
        ]}
      />
    </Card>
  );
}

function Terminal({ account, address }: { account: AccountView; address: string }) {
  if (!account.terminal_access) return <>Not part of this account. Your provider can allow it.</>;
  return (
    <>
      By SSH, with the password of this account: <code>{`ssh ${account.linux_user}@${address}`}</code>
    </>
  );
}
