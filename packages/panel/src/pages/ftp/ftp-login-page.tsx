import { getFtpAccess, getFtpLoginOf } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import {
  CheckField,
  Confirm,
  type FormState,
  freshForm,
  PostForm,
  TextAreaField,
  TextField,
} from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Notice } from '../../ui/parts.tsx';
import { sshKeyTexts } from '../ssh-keys/texts/index.ts';
import { Connect } from './ftp-logins.tsx';
import { ftpTexts } from './texts/index.ts';

const EXAMPLE_FOLDER = 'domains/example.com';
const PASSWORD = { autocomplete: 'new-password', minlength: 10, maxlength: 64 };

/** The form that adds a login. */
export async function newFtpLoginPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const ctx = customerContext(c);
  const { user, logins, limit } = await getFtpAccess(ctx, { account_id: ctx.actor.accountId });
  const texts = textsFor(c, ftpTexts);
  return page(
    c,
    { title: texts.newTitle, above: above(c), status: refused?.status ?? 200 },
    logins.length >= limit && refused === undefined ? (
      <Full limit={limit} />
    ) : (
      <Card title={texts.newTitle}>
        <PostForm c={c} action="/ftp" state={refused ?? freshForm()} submit={texts.add}>
          <Name state={refused ?? freshForm()} user={user} />
          <Where state={refused ?? freshForm()} />
          <TextField
            state={refused ?? freshForm()}
            name="password"
            type="password"
            label={texts.password}
            hint={texts.passwordHint}
            attributes={PASSWORD}
          />
          <Keys state={refused ?? freshForm()} />
        </PostForm>
      </Card>
    ),
  );
}

/** One login: what it may change, and how to connect. */
export async function ftpLoginPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const ctx = customerContext(c);
  const { access, login } = await getFtpLoginOf(ctx, {
    account_id: ctx.actor.accountId,
    ftp_login_id: recordId(c),
  });
  const texts = textsFor(c, ftpTexts);
  const state =
    refused ??
    freshForm({ folder: login.folder, public_keys: login.keys.map(({ line }) => line).join('\n') });
  return page(
    c,
    { title: login.name, above: above(c), status: refused?.status ?? 200 },
    <>
      <Card title={login.name}>
        <p class="muted">{texts.sessionsEnd}</p>
        <PostForm c={c} action={`/ftp/${login.id}`} state={state} submit={texts.save}>
          <Where state={state} />
          <TextField
            state={state}
            name="password"
            type="password"
            label={texts.newPassword}
            hint={login.has_password ? texts.passwordKept : texts.passwordNone}
            attributes={PASSWORD}
          />
          {login.has_password ? (
            <CheckField state={state} name="removes_password" label={texts.removesPassword} />
          ) : null}
          <Keys state={state} />
        </PostForm>
      </Card>
      <Connect access={access} />
      <Card title={texts.removeTitle}>
        <Confirm
          c={c}
          action={`/ftp/${login.id}/remove`}
          ask={texts.remove}
          submit={texts.removeNow(login.name)}
        >
          <p>{texts.removeWarning}</p>
        </Confirm>
      </Card>
    </>,
  );
}

const above = (c: PanelContext) => [{ name: textsFor(c, sshKeyTexts).title, path: '/ssh-keys' }];

function Full({ limit }: { limit: number }) {
  const texts = useTexts(ftpTexts);
  const { number } = useFormats();
  return <Notice>{limit === 0 ? texts.noneAllowed : texts.full(number(limit))}</Notice>;
}

function Name({ state, user }: { state: FormState; user: string }) {
  const texts = useTexts(ftpTexts);
  return (
    <TextField
      state={state}
      name="suffix"
      label={texts.suffix}
      hint={texts.suffixHint(<code>{`${user}_…`}</code>)}
      attributes={{ required: true, maxlength: 14, autocapitalize: 'none', spellcheck: false }}
    />
  );
}

function Where({ state }: { state: FormState }) {
  const texts = useTexts(ftpTexts);
  return (
    <TextField
      state={state}
      name="folder"
      label={texts.folder}
      hint={texts.folderHint(<code>{EXAMPLE_FOLDER}</code>)}
      attributes={{ required: true, maxlength: 200, autocapitalize: 'none', spellcheck: false }}
    />
  );
}

function Keys({ state }: { state: FormState }) {
  const texts = useTexts(ftpTexts);
  return (
    <TextAreaField
      state={state}
      name="public_keys"
      label={texts.keys}
      hint={texts.keysHint}
      attributes={{ rows: 4, spellcheck: 'false', autocapitalize: 'none' }}
    />
  );
}
