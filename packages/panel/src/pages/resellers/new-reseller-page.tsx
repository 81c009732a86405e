import type { PanelContext } from '../../env.ts';
import { type Refused, rawTextOf, textOf } from '../../http/form.ts';
import { freshForm, PostForm } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card } from '../../ui/parts.tsx';
import { PersonFields } from '../../ui/person-fields.tsx';

/** The form that adds a reseller. */
export function newResellerPage(c: PanelContext, refused?: Refused): Response {
  const state = refused ?? freshForm();
  return page(
    c,
    {
      title: 'Add a reseller',
      above: [{ name: 'Resellers', path: '/resellers' }],
      status: refused?.status ?? 200,
    },
    <Card title="New reseller">
      <PostForm c={c} action="/resellers/new" state={state} submit="Add the reseller">
        <PersonFields
          state={state}
          nameLabel="Name"
          usernameHint=""
          passwordHint="The reseller signs in to this panel with it."
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
