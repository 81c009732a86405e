import { getProfile } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { userContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { freshForm, PostForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card } from '../../ui/parts.tsx';
import { profileTexts } from './texts/index.ts';

/** The form for the user's own name and email address. */
export async function profilePage(c: PanelContext, refused?: Refused): Promise<Response> {
  const texts = textsFor(c, profileTexts);
  const { name, email } = await getProfile(userContext(c));
  const state = refused ?? freshForm({ name, email });
  return page(
    c,
    {
      title: texts.title,
      above: [{ name: texts.security, path: '/security' }],
      status: refused?.status ?? 200,
    },
    <Card title={texts.you}>
      {c.var.signedInAs?.session.method === 'operator' ? (
        <p>{texts.asOperator}</p>
      ) : (
        <PostForm c={c} action="/profile" state={state} submit={texts.save}>
          <TextField
            state={state}
            name="name"
            label={texts.name}
            attributes={{ autocomplete: 'name', required: true, maxlength: 100 }}
          />
          <TextField
            state={state}
            name="email"
            label={texts.email}
            type="email"
            hint={texts.emailHint}
            attributes={{ autocomplete: 'email', autocapitalize: 'none', spellcheck: false, required: true }}
          />
        </PostForm>
      )}
    </Card>,
  );
}
