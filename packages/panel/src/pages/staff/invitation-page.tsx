import { invalidField } from '@innkeeper/domain';
import {
  acceptInvitation,
  checkInvitation,
  type Invitation,
  invitationPath,
  type StaffView,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { type Refused, rawTextOf } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { visitorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { freshForm, PostForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Secret } from '../../ui/parts.tsx';
import { staffTexts } from './texts/index.ts';

export const INVITATION = '/invitation/:id{[1-9][0-9]{0,14}}';

/** The link of an invitation. Only the answer to the form shows it, never again. */
export function invitationPage(
  c: PanelContext,
  { id, username }: StaffView,
  invitation: Invitation,
): Response {
  const texts = textsFor(c, staffTexts);
  return page(
    c,
    { title: texts.invitationOf(username), above: [{ name: texts.title, path: '/staff' }] },
    <Card title={texts.link}>
      <p>{texts.linkAbout(username)}</p>
      <Secret
        id="invitation"
        label={texts.link}
        text={new URL(invitationPath(invitation), c.var.deps.publicUrl).toString()}
      />
      <p>
        <a class="btn" href={`/staff/${id}`}>
          {username}
        </a>
      </p>
    </Card>,
  );
}

function invitationOf(c: PanelContext): Invitation {
  const expires = /^\d{1,12}$/.exec(c.req.query('expires') ?? '')?.[0];
  return { user_id: recordId(c), expires: Number(expires ?? 0), signature: c.req.query('signature') ?? '' };
}

/** The form with which an invited person sets its password. */
export async function acceptPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const texts = textsFor(c, staffTexts);
  const invitation = invitationOf(c);
  const { username } = await checkInvitation(visitorContext(c), invitation);
  const state = refused ?? freshForm();
  const attributes = { autocomplete: 'new-password', required: true };
  return page(
    c,
    { title: texts.setPassword, status: refused?.status ?? 200 },
    <>
      <p>{texts.welcome(username)}</p>
      <PostForm c={c} action={invitationPath(invitation)} state={state} submit={texts.accept}>
        <TextField
          state={state}
          name="password"
          type="password"
          label={texts.password}
          hint={texts.passwordHint}
          attributes={attributes}
        />
        <TextField
          state={state}
          name="repeated_password"
          type="password"
          label={texts.repeat}
          attributes={attributes}
        />
      </PostForm>
    </>,
  );
}

export async function accept(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, staffTexts);
  const password = rawTextOf(c.var.form, 'password');
  if (password !== rawTextOf(c.var.form, 'repeated_password'))
    throw invalidField('repeated_password', texts.mismatch);
  await acceptInvitation(visitorContext(c), { invitation: invitationOf(c), password });
  return goToWithNotice(c, '/login', texts.accepted);
}
