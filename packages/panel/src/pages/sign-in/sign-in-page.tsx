import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { ownPath } from '../../http/session.ts';
import { freshForm, PostForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { CodeField, CurrentPasswordField } from '../../ui/person-fields.tsx';

/** The requested page, if it is a page of the panel. */
export function nextOf(c: PanelContext): string {
  return ownPath(c.req.query('next'));
}

export function nextQuery(c: PanelContext): string {
  const next = nextOf(c);
  return next === '/' ? '' : `?next=${encodeURIComponent(next)}`;
}

export function signInPage(c: PanelContext, refused?: Refused): Response {
  const state = refused ?? freshForm();
  return page(
    c,
    { title: 'Sign in', status: refused?.status ?? 200 },
    <PostForm c={c} action={`/login${nextQuery(c)}`} state={state} submit="Sign in">
      <TextField
        state={state}
        name="username"
        label="Username"
        attributes={{
          autocomplete: 'username',
          autocapitalize: 'none',
          spellcheck: false,
          required: true,
          autofocus: true,
        }}
      />
      <CurrentPasswordField state={state} name="password" label="Password" />
      <p>
        <a href="/password/forgot">Forgot password?</a>
      </p>
    </PostForm>,
  );
}

export function codePage(c: PanelContext, refused?: Refused): Response {
  const state = refused ?? freshForm();
  return page(
    c,
    { title: 'Two-factor authentication', status: refused?.status ?? 200 },
    <PostForm c={c} action={`/login/code${nextQuery(c)}`} state={state} submit="Continue">
      <CodeField state={state} autofocus />
    </PostForm>,
  );
}
