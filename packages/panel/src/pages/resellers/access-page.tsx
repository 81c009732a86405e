import { newPassword, ownProfile } from '@innkeeper/contract';
import { DomainError } from '@innkeeper/domain';
import {
  listResellers,
  type ResellerSuspended,
  setResellerPassword,
  setResellerPerson,
  suspendReseller,
  unsuspendReseller,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { fieldsOf, type Refused } from '../../http/form.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { ButtonForm, Confirm, freshForm, PostForm, Refusal, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Notice } from '../../ui/parts.tsx';
import { PasswordField } from '../../ui/person-fields.tsx';
import { resellerName } from './reseller-page.tsx';
import { resellerTexts } from './texts/index.ts';

/** The forms of the page. */
export type AccessForm = 'person' | 'password' | 'suspension';

/** Contact, password and suspension of a reseller, for admins. */
export async function accessPage(
  c: PanelContext,
  shown?: { form: AccessForm; refused: Refused },
): Promise<Response> {
  const texts = textsFor(c, resellerTexts);
  const name = resellerName(c);
  const found = (await listResellers(operatorContext(c))).find(({ username }) => username === name);
  if (found === undefined) throw new DomainError('not_found', texts.missing);
  const { username, disabled_at } = found;
  const path = `/resellers/${username}`;
  const stateOf = (form: AccessForm, values = {}) =>
    shown?.form === form ? shown.refused : freshForm(values);
  const person = stateOf('person', { name: found.name, email: found.email });
  const above = [
    { name: texts.resellers, path: '/resellers' },
    { name: username, path },
  ];
  return page(
    c,
    { title: texts.title, above, status: shown?.refused.status ?? 200 },
    <>
      {disabled_at === null ? null : <Notice tone="warn">{texts.suspendedNotice}</Notice>}
      <div class="half">
        <Card title={texts.contact}>
          <PostForm c={c} action={`${path}/person`} state={person} submit={texts.save}>
            <TextField
              state={person}
              name="name"
              label={texts.name}
              attributes={{ required: true, maxlength: 100 }}
            />
            <TextField
              state={person}
              name="email"
              label={texts.email}
              type="email"
              attributes={{ autocapitalize: 'none', spellcheck: false, required: true }}
            />
          </PostForm>
        </Card>
        <Card title={texts.password}>
          <PostForm c={c} action={`${path}/password`} state={stateOf('password')} submit={texts.setPassword}>
            <PasswordField state={stateOf('password')} label={texts.password} hint={texts.passwordHint} />
          </PostForm>
          {disabled_at === null ? (
            <>
              <p class="muted">{texts.linkHint}</p>
              <ButtonForm c={c} action={`${path}/password-link`} submit={texts.makeLink} />
            </>
          ) : null}
        </Card>
        <Card title={texts.suspension}>
          <Refusal state={stateOf('suspension')} />
          {disabled_at === null ? (
            <Confirm c={c} action={`${path}/suspend`} ask={texts.suspend} submit={texts.suspendAll}>
              <p>{texts.consequence}</p>
            </Confirm>
          ) : (
            <>
              <p class="muted">{texts.unsuspendHint}</p>
              <ButtonForm c={c} action={`${path}/unsuspend`} submit={texts.unsuspend} />
            </>
          )}
        </Card>
      </div>
    </>,
  );
}

export async function savePerson(c: PanelContext): Promise<Response> {
  const reseller = resellerName(c);
  await setResellerPerson(operatorContext(c), { reseller, ...fieldsOf(ownProfile, c.var.form) });
  return goToWithNotice(c, `/resellers/${reseller}/access`, textsFor(c, resellerTexts).saved(reseller));
}

export async function savePassword(c: PanelContext): Promise<Response> {
  const reseller = resellerName(c);
  await setResellerPassword(operatorContext(c), { reseller, ...fieldsOf(newPassword, c.var.form) });
  return goToWithNotice(c, `/resellers/${reseller}/access`, textsFor(c, resellerTexts).passwordSet(reseller));
}

export async function suspend(c: PanelContext): Promise<Response> {
  const reseller = resellerName(c);
  const done = await suspendReseller(operatorContext(c), { reseller });
  return changed(c, done, textsFor(c, resellerTexts).suspendedNow(reseller));
}

export async function unsuspend(c: PanelContext): Promise<Response> {
  const reseller = resellerName(c);
  const done = await unsuspendReseller(operatorContext(c), { reseller });
  return changed(c, done, textsFor(c, resellerTexts).unsuspendedNow(reseller));
}

/** Every instance looks the tokens of the reseller up again. */
function changed(
  c: PanelContext,
  { token_ids, bulk_change_id }: ResellerSuspended,
  sentence: string,
): Response {
  for (const id of token_ids) c.var.deps.tellTokenRevoked(id);
  const path =
    bulk_change_id === null ? `/resellers/${resellerName(c)}/access` : `/changes/${bulk_change_id}`;
  return goToWithNotice(c, path, sentence);
}
