import { DomainError } from '@innkeeper/domain';
import { findCreateFailure, listAudit } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { goTo, operatorContext } from '../../http/session.ts';
import { page } from '../../ui/page.tsx';
import { Card } from '../../ui/parts.tsx';
import { accountPath } from './paths.ts';

/**
 * What stands where an account stood whose create its server refused: why, to whoever created it and to admins.
 * Throws `not_found` for any other account that is not there.
 */
export async function goneAccountPage(c: PanelContext, account_id: number): Promise<Response> {
  // A page that looked at it again and again: the browser loads the page anew.
  if (c.req.header('HX-Request') !== undefined) return goTo(c, accountPath(account_id));
  const ctx = operatorContext(c);
  const failure = await findCreateFailure(ctx, { account_id });
  const isAdmin = ctx.actor.role === 'admin';
  if (failure === undefined || !(isAdmin || (await created(c, account_id))))
    throw new DomainError('not_found', `There is no account ${account_id}.`);
  return page(
    c,
    {
      title: 'This account could not be created',
      above: [{ name: 'Accounts', path: '/accounts' }],
      status: 404,
    },
    <Card title="What happened">
      <p>
        {failure.field === 'username'
          ? 'The server has a user or files of this username already, so it was undone: nothing of it was kept. Choose another username.'
          : 'The server could not create it, so it was undone: nothing of it was kept, and its username is free.'}
      </p>
      {isAdmin ? (
        <p>{`The server says: ${failure.reason}`}</p>
      ) : (
        <p>Ask whoever runs the servers what was wrong.</p>
      )}
      <p>
        <a class="button" href="/accounts/new">
          Create it again
        </a>
      </p>
    </Card>,
  );
}

/** Whether it was this operator who created it. */
async function created(c: PanelContext, account_id: number): Promise<boolean> {
  const ctx = operatorContext(c);
  const { items } = await listAudit(ctx, { account_id, action: 'account.create', limit: 1 });
  return items[0]?.user?.id === ctx.actor.userId;
}
