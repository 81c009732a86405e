import { ownProfile } from '@innkeeper/contract';
import { getAccount, setAccountPerson } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { fieldsOf, type Refused } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { freshForm, PostForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card } from '../../ui/parts.tsx';
import { accountTexts } from './texts/index.ts';

/** The form for the name and email address of an account's person. */
export async function personPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const { id, username, name, email } = await getAccount(operatorContext(c), {
    account_id: recordId(c),
    include: new Set(),
  });
  const texts = textsFor(c, accountTexts);
  const state = refused ?? freshForm({ name, email });
  const above = [
    { name: texts.accounts, path: '/accounts' },
    { name: username, path: `/accounts/${id}` },
  ];
  return page(
    c,
    { title: texts.edit, above, status: refused?.status ?? 200 },
    <Card title={texts.title(username)}>
      <PostForm c={c} action={`/accounts/${id}/person`} state={state} submit={texts.save}>
        <TextField
          state={state}
          name="name"
          label={texts.name}
          attributes={{ required: true, maxlength: 100 }}
        />
        <TextField
          state={state}
          name="email"
          label={texts.email}
          type="email"
          hint={texts.emailHint}
          attributes={{ autocapitalize: 'none', spellcheck: false, required: true }}
        />
      </PostForm>
    </Card>,
  );
}

export async function savePerson(c: PanelContext): Promise<Response> {
  const account_id = recordId(c);
  await setAccountPerson(operatorContext(c), { account_id, ...fieldsOf(ownProfile, c.var.form) });
  return goToWithNotice(c, `/accounts/${account_id}`, textsFor(c, accountTexts).saved);
}
