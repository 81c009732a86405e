import type { Action } from '@innkeeper/domain';
import {
  createReseller,
  generatePassword,
  getPool,
  resetSecondFactor,
  setPool,
  unlockSecondFactor,
} from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { onSubmit } from '../../http/form.ts';
import { proven } from '../../http/proof.tsx';
import { goToWithNotice } from '../../http/redirect.ts';
import { admin, allowed, operator, operatorContext, staff } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { uiTexts } from '../../ui/texts/index.ts';
import { type AccessForm, accessPage, savePassword, savePerson, suspend, unsuspend } from './access-page.tsx';
import { handOver, handOverPage, remove } from './hand-over-page.tsx';
import { linkPage } from './link-page.tsx';
import { newResellerPage, resellerOf } from './new-reseller-page.tsx';
import { ownPoolPage, poolOf, resellerName, resellerPage } from './reseller-page.tsx';
import { resellersPage } from './resellers-page.tsx';
import { resellerTexts } from './texts/index.ts';

const ONE = '/resellers/:name{[a-z0-9_-]{3,16}}';

/** Resellers and their pools. A reseller sees only its own pool. */
export function registerResellers(panel: Panel): void {
  panel.get('/resellers', operator, (c) => {
    const { user } = c.var.signedInAs ?? {};
    return user?.role === 'reseller' ? ownPoolPage(c, user.username) : resellersPage(c);
  });
  panel.get('/resellers/new', allowed('reseller.create'), (c) => newResellerPage(c));
  panel.post('/resellers/new', allowed('reseller.create'), onSubmit(create, newResellerPage));

  panel.get(ONE, staff, (c) => resellerPage(c));
  panel.post(`${ONE}/pool`, allowed('reseller.set-pool'), onSubmit(changePool, resellerPage));

  panel.get(`${ONE}/access`, admin, (c) => accessPage(c));
  const onForm = (
    at: string,
    action: Action,
    form: AccessForm,
    run: (c: PanelContext) => Promise<Response>,
  ) =>
    panel.post(
      ONE + at,
      allowed(action),
      proven,
      onSubmit(run, (c, refused) => accessPage(c, { form, refused })),
    );
  panel.get(`${ONE}/hand-over`, allowed('reseller.hand-over'), (c) => handOverPage(c));
  panel.post(`${ONE}/hand-over`, allowed('reseller.hand-over'), proven, onSubmit(handOver, handOverPage));
  panel.post(`${ONE}/delete`, allowed('reseller.delete'), proven, onSubmit(remove, handOverPage));
  onForm('/person', 'reseller.set-person', 'person', savePerson);
  onForm('/password', 'reseller.set-password', 'password', savePassword);
  onForm('/password-link', 'reseller.password-link', 'password', (c) => linkPage(c, resellerName(c)));
  onForm('/suspend', 'reseller.suspend', 'suspension', suspend);
  onForm('/unsuspend', 'reseller.unsuspend', 'suspension', unsuspend);
  panel.post(`${ONE}/second-factor/unlock`, admin, proven, unlock);
  panel.post(`${ONE}/second-factor/reset`, admin, proven, reset);
}

async function create(c: PanelContext): Promise<Response> {
  const input = resellerOf(c);
  const hasPassword = input.password !== '';
  const password = hasPassword ? input.password : generatePassword();
  const { username } = await createReseller(operatorContext(c), { ...input, password });
  if (!hasPassword) return await linkPage(c, username);
  return goToWithNotice(c, `/resellers/${username}`, textsFor(c, resellerTexts).added(username));
}

async function changePool(c: PanelContext): Promise<Response> {
  await setPool(operatorContext(c), { reseller: resellerName(c), ...poolOf(c) });
  return goToWithNotice(c, `/resellers/${resellerName(c)}`, textsFor(c, resellerTexts).poolChanged);
}

async function unlock(c: PanelContext): Promise<Response> {
  const username = await usernameOf(c);
  await unlockSecondFactor(operatorContext(c), { username });
  return goToWithNotice(c, `/resellers/${username}`, textsFor(c, uiTexts).factorWasUnlocked(username));
}

async function reset(c: PanelContext): Promise<Response> {
  const username = await usernameOf(c);
  await resetSecondFactor(operatorContext(c), { username });
  return goToWithNotice(c, `/resellers/${username}`, textsFor(c, uiTexts).factorWasReset(username));
}

/** Throws `not_found` unless the name in the path is a reseller's. */
async function usernameOf(c: PanelContext): Promise<string> {
  return (await getPool(operatorContext(c), { reseller: resellerName(c) })).reseller.username;
}
