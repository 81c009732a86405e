import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { ownPath } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { freshForm, PostForm, TextField } from '../../ui/form.tsx';
import { LanguageForm } from '../../ui/language-form.tsx';
import { page } from '../../ui/page.tsx';
import { CodeField, CurrentPasswordField } from '../../ui/person-fields.tsx';
import { signInTexts } from './texts/index.ts';

/** The requested page, if it is a page of the panel. */
export function nextOf(c: PanelContext): string {
  return ownPath(c.req.query('next'));
}

export function nextQuery(c: PanelContext): string {
  const next = nextOf(c);
  return next === '/' ? '' : `?next=${encodeURIComponent(next)}`;
}

export function signInPage(c: PanelContext, refused?: Refused): Response {
  const texts = textsFor(c, signInTexts);
  const state = refused ?? freshForm();
  return page(
    c,
    { title: texts.signIn, status: refused?.status ?? 200 },
    <>
      <PostForm c={c} action={`/login${nextQuery(c)}`} state={state} submit={texts.signIn}>
        <TextField
          state={state}
          name="username"
          label={texts.username}
          attributes={{
            autocomplete: 'username',
            autocapitalize: 'none',
            spellcheck: false,
            required: true,
            autofocus: true,
          }}
        />
        <CurrentPasswordField state={state} name="password" label={texts.password} />
        <p>
          <a href="/password/forgot">{texts.forgot}</a>
        </p>
      </PostForm>
      <LanguageForm c={c} back={`/login${nextQuery(c)}`} />
    </>,
  );
}

export function codePage(c: PanelContext, refused?: Refused): Response {
  const texts = textsFor(c, signInTexts);
  const state = refused ?? freshForm();
  return page(
    c,
    { title: texts.twoFactor, status: refused?.status ?? 200 },
    <PostForm c={c} action={`/login/code${nextQuery(c)}`} state={state} submit={texts.continue}>
      <CodeField state={state} autofocus />
    </PostForm>,
  );
}
