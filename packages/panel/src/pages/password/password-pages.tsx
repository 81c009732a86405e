import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { textsFor } from '../../language/language.ts';
import { brandOf } from '../../ui/brand.tsx';
import { freshForm, PostForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { passwordTexts } from './texts/index.ts';

/** Asks for the username, or names the support link where no mail can be sent. */
export function forgotPage(c: PanelContext, isMailOn: boolean, refused?: Refused): Response {
  const texts = textsFor(c, passwordTexts);
  const { support_url } = brandOf(c);
  const state = refused ?? freshForm();
  return page(
    c,
    { title: texts.forgot, status: refused?.status ?? 200 },
    <>
      {isMailOn ? (
        <>
          <p>{texts.about}</p>
          <PostForm c={c} action="/password/forgot" state={state} submit={texts.send}>
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
          </PostForm>
        </>
      ) : (
        <>
          <p>{texts.withoutMail}</p>
          {support_url === null ? null : (
            <p>
              <a class="btn" href={support_url} rel="noreferrer">
                {texts.contact}
              </a>
            </p>
          )}
        </>
      )}
      <p>
        <a href="/login">{texts.back}</a>
      </p>
    </>,
  );
}

/** The form of a mailed link. */
export function newPasswordPage(c: PanelContext, username: string, refused?: Refused): Response {
  const texts = textsFor(c, passwordTexts);
  const state = refused ?? freshForm();
  const attributes = { autocomplete: 'new-password', required: true };
  return page(
    c,
    { title: texts.newTitle, status: refused?.status ?? 200 },
    <PostForm c={c} action="/password/new" state={state} submit={texts.set}>
      <p>{texts.newFor(<b>{username}</b>)}</p>
      <input type="text" name="username" value={username} autocomplete="username" hidden readonly />
      <TextField
        state={state}
        name="password"
        label={texts.password}
        type="password"
        hint={texts.passwordHint}
        attributes={{ ...attributes, minlength: 8, maxlength: 255 }}
      />
      <TextField
        state={state}
        name="repeated_password"
        label={texts.repeat}
        type="password"
        attributes={attributes}
      />
    </PostForm>,
  );
}
