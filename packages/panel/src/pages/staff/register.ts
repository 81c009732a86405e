import { newStaffPerson } from '@innkeeper/contract';
import {
  disableStaff,
  enableStaff,
  getStaff,
  inviteStaff,
  removeStaff,
  renewInvitation,
  resetSecondFactor,
  type StaffChanged,
  setStaffRole,
  unlockSecondFactor,
} from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { fieldsOf, onSubmit, textOf } from '../../http/form.ts';
import { proven } from '../../http/proof.tsx';
import { recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { admin, allowed, operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { uiTexts } from '../../ui/texts/index.ts';
import { accept, acceptPage, INVITATION, invitationPage } from './invitation-page.tsx';
import { inviteStaffPage, staffPage, staffPersonPage } from './staff-pages.tsx';
import { staffTexts } from './texts/index.ts';

const ONE = '/staff/:id{[1-9][0-9]{0,14}}';

/** The people who run the installation, for admins, and the page with which an invited person sets its password. */
export function registerStaff(panel: Panel): void {
  panel.get('/staff', allowed('staff.invite'), staffPage);
  panel.get('/staff/new', allowed('staff.invite'), (c) => inviteStaffPage(c));
  panel.post('/staff/new', allowed('staff.invite'), proven, onSubmit(invite, inviteStaffPage));
  panel.get(ONE, allowed('staff.invite'), (c) => staffPersonPage(c));
  panel.post(`${ONE}/role`, allowed('staff.set-role'), proven, onSubmit(changeRole, staffPersonPage));
  panel.post(`${ONE}/disable`, allowed('staff.disable'), proven, onSubmit(disable, staffPersonPage));
  panel.post(`${ONE}/enable`, allowed('staff.enable'), proven, onSubmit(enable, staffPersonPage));
  panel.post(`${ONE}/remove`, allowed('staff.remove'), proven, onSubmit(remove, staffPersonPage));
  panel.post(`${ONE}/link`, allowed('staff.renew-invitation'), proven, onSubmit(newLink, staffPersonPage));
  panel.post(`${ONE}/second-factor/unlock`, admin, proven, onSubmit(unlock, staffPersonPage));
  panel.post(`${ONE}/second-factor/reset`, admin, proven, onSubmit(reset, staffPersonPage));

  panel.get(INVITATION, (c) => acceptPage(c));
  panel.post(INVITATION, onSubmit(accept, acceptPage));
}

async function invite(c: PanelContext): Promise<Response> {
  const { signer } = c.var.deps;
  const input = fieldsOf(newStaffPerson, c.var.form);
  const { staff, invitation } = await inviteStaff({ ...operatorContext(c), signer }, input);
  return invitationPage(c, staff, invitation);
}

async function newLink(c: PanelContext): Promise<Response> {
  const { signer } = c.var.deps;
  const changed = await renewInvitation({ ...operatorContext(c), signer }, { user_id: recordId(c) });
  forget(c, changed);
  return invitationPage(c, changed.staff, changed.invitation);
}

async function changeRole(c: PanelContext): Promise<Response> {
  const asked = { user_id: recordId(c), role: textOf(c.var.form, 'role') };
  return done(c, 'roleChanged', await setStaffRole(operatorContext(c), asked));
}

async function disable(c: PanelContext): Promise<Response> {
  return done(c, 'disabled', await disableStaff(operatorContext(c), { user_id: recordId(c) }));
}

async function enable(c: PanelContext): Promise<Response> {
  return done(c, 'enabled', await enableStaff(operatorContext(c), { user_id: recordId(c) }));
}

async function remove(c: PanelContext): Promise<Response> {
  return done(c, 'removed', await removeStaff(operatorContext(c), { user_id: recordId(c) }), '/staff');
}

async function unlock(c: PanelContext): Promise<Response> {
  const { id, username } = await getStaff(operatorContext(c), { user_id: recordId(c) });
  await unlockSecondFactor(operatorContext(c), { username });
  return goToWithNotice(c, `/staff/${id}`, textsFor(c, uiTexts).factorWasUnlocked(username));
}

async function reset(c: PanelContext): Promise<Response> {
  const { id, username } = await getStaff(operatorContext(c), { user_id: recordId(c) });
  await resetSecondFactor(operatorContext(c), { username });
  return goToWithNotice(c, `/staff/${id}`, textsFor(c, uiTexts).factorWasReset(username));
}

function done(
  c: PanelContext,
  what: 'roleChanged' | 'disabled' | 'enabled' | 'removed',
  changed: StaffChanged,
  path = `/staff/${changed.staff.id}`,
): Response {
  forget(c, changed);
  return goToWithNotice(c, path, textsFor(c, staffTexts)[what](changed.staff.username));
}

/** Every instance reads the rights of these tokens again. */
function forget(c: PanelContext, { token_ids }: StaffChanged): void {
  for (const id of token_ids) c.var.deps.tellTokenRevoked(id);
}
