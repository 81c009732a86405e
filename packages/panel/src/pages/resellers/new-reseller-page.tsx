import type { PanelContext } from '../../env.ts';
import { type Refused, rawTextOf, textOf } from '../../http/form.ts';
import { textsFor } from '../../language/language.ts';
import { freshForm, PostForm } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card } from '../../ui/parts.tsx';
import { PersonFields } from '../../ui/person-fields.tsx';
import { resellerTexts } from './texts/index.ts';

/** The form that adds a reseller. */
export function newResellerPage(c: PanelContext, refused?: Refused): Response {
  const texts = textsFor(c, resellerTexts);
  const state = refused ?? freshForm();
  return page(
    c,
    {
      title: texts.add,
      above: [{ name: texts.resellers, path: '/resellers' }],
      status: refused?.status ?? 200,
    },
    <Card title={texts.newReseller}>
      <PostForm c={c} action="/resellers/new" state={state} submit={texts.add}>
        <PersonFields
          state={state}
          nameLabel={texts.person}
          usernameHint=""
          passwordHint={texts.newPasswordHint}
          optionalPassword
        />
      </PostForm>
    </Card>,
  );
}

/** Reads the form. */
export function resellerOf(c: PanelContext) {
  const { form } = c.var;
  const name = textOf(form, 'name');
  return {
    username: textOf(form, 'username'),
    ...(name === '' ? {} : { name }),
    email: textOf(form, 'email'),
    password: rawTextOf(form, 'password'),
  };
}
