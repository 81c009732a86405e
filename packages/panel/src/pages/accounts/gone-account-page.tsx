import { DomainError, isStaffRole } from '@innkeeper/domain';
import { findCreateFailure, listAudit } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { isRefresh } from '../../http/record-id.ts';
import { goTo } from '../../http/redirect.ts';
import { operatorContext } from '../../http/session.ts';
import { languageOf, textsFor } from '../../language/language.ts';
import { translate } from '../../language/sentences/translate.ts';
import { page } from '../../ui/page.tsx';
import { Card } from '../../ui/parts.tsx';
import { accountTexts } from './texts/index.ts';

/**
 * The page of an account whose creation its server refused. It shows the reason to the creator and to admins.
 * Throws `not_found` for any other missing account.
 */
export async function goneAccountPage(c: PanelContext, account_id: number): Promise<Response> {
  // A page that refreshes itself: the browser loads the whole page.
  if (isRefresh(c)) return goTo(c, `/accounts/${account_id}`);
  const ctx = operatorContext(c);
  const texts = textsFor(c, accountTexts);
  const failure = await findCreateFailure(ctx, { account_id });
  const isAdmin = isStaffRole(ctx.actor.role);
  if (failure === undefined || !(isAdmin || (await created(c, account_id))))
    throw new DomainError('not_found', texts.noSuchAccount(account_id));
  return page(
    c,
    {
      title: texts.gone,
      above: [{ name: texts.accounts, path: '/accounts' }],
      status: 404,
    },
    <Card title={texts.whatHappened}>
      <p>{failure.field === 'username' ? texts.goneUsername : texts.goneOther}</p>
      <p>{isAdmin ? texts.serverSays(translate(languageOf(c), failure.reason)) : texts.askForReason}</p>
      <p>
        <a class="btn" href="/accounts/new">
          {texts.createAgain}
        </a>
      </p>
    </Card>,
  );
}

/** Whether this operator created the account. */
async function created(c: PanelContext, account_id: number): Promise<boolean> {
  const ctx = operatorContext(c);
  const { items } = await listAudit(ctx, { account_id, action: 'account.create', limit: 1 });
  return items[0]?.user?.id === ctx.actor.userId;
}
