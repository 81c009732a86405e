import { type AccountView, getAccount } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { recordId } from '../../http/record-id.ts';
import { goTo } from '../../http/redirect.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import { type FormState, freshForm, PostForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card } from '../../ui/parts.tsx';
import { accountTexts } from './texts/index.ts';

/** Asks before an account is suspended, for the menus of the list. */
export async function suspendPage(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, accountTexts);
  const account = await accountOf(c);
  const { id, username, status } = account;
  if (status !== 'active') return goTo(c, `/accounts/${id}`);
  return page(
    c,
    { title: texts.suspendTitle(username), above: above(texts.accounts, account) },
    <Card title={texts.whatHappens}>
      <p>{texts.suspendEffect}</p>
      <PostForm c={c} action={`/accounts/${id}/suspend`} submit={texts.suspendOne(username)} danger>
        <ReasonField state={freshForm()} />
      </PostForm>
    </Card>,
  );
}

/** Asks before an account is removed, for the menus of the list. */
export async function terminatePage(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, accountTexts);
  const account = await accountOf(c);
  const { id, username, status } = account;
  if (status === 'terminating') return goTo(c, `/accounts/${id}`);
  return page(
    c,
    { title: texts.terminateTitle(username), above: above(texts.accounts, account) },
    <Card title={texts.whatHappens}>
      <p>{texts.terminateEffect}</p>
      <PostForm c={c} action={`/accounts/${id}/terminate`} submit={texts.terminateForGood} danger>
        <ConfirmUsername state={freshForm()} username={username} />
      </PostForm>
    </Card>,
  );
}

/** Why an account is suspended. */
export function ReasonField({ state }: { state: FormState }) {
  const texts = useTexts(accountTexts);
  return (
    <TextField
      state={state}
      name="reason"
      label={texts.reason}
      hint={texts.reasonHint}
      attributes={{ maxlength: 255 }}
    />
  );
}

export function ConfirmUsername({ state, username }: { state: FormState; username: string }) {
  const texts = useTexts(accountTexts);
  return (
    <TextField
      state={state}
      name="username"
      label={texts.typeToConfirm(username)}
      attributes={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false, required: true }}
    />
  );
}

async function accountOf(c: PanelContext): Promise<AccountView> {
  return await getAccount(operatorContext(c), { account_id: recordId(c), include: new Set() });
}

function above(accounts: string, { id, username }: AccountView) {
  return [
    { name: accounts, path: '/accounts' },
    { name: username, path: `/accounts/${id}` },
  ];
}
