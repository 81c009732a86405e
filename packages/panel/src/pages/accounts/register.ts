import { endpoints } from '@innkeeper/contract';
import { invalidField } from '@innkeeper/domain';
import {
  type AccountView,
  changeAccountPackage,
  getAccount,
  resetSecondFactor,
  retryAccount,
  setAccountPassword,
  setAccountResources,
  suspendAccount,
  terminateAccount,
  unlockSecondFactor,
  unsuspendAccount,
  type Written,
} from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { fieldsOf, onSubmit, textOf, waitForNode } from '../../http/form.ts';
import { proven } from '../../http/proof.tsx';
import { recordId } from '../../http/record-id.ts';
import { goTo, goToWithNotice } from '../../http/redirect.ts';
import { allowed, operator, operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { accountFields, unlimitedOf } from '../../ui/limit-fields.tsx';
import { uiTexts } from '../../ui/texts/index.ts';
import { accountPage } from './account-page.tsx';
import { accountsPage } from './accounts-page.tsx';
import { limitsPage, packagePage, passwordPage } from './change-pages.tsx';
import { suspendPage, terminatePage } from './end-pages.tsx';
import { EXPORT_PATH, exportAccountsAsCsv } from './export-accounts.ts';
import { handOver, handOverPage } from './hand-over-page.tsx';
import { logInAs } from './log-in-as.ts';
import { manyKinds, manyPath } from './many-kinds.ts';
import { changeMany, manyPage } from './many-page.tsx';
import { type CreateMode, create, newAccountPage } from './new-account-page.tsx';
import { personPage, savePerson } from './person-page.tsx';
import { accountTexts } from './texts/index.ts';

const ONE = '/accounts/:id{[1-9][0-9]{0,14}}';

/** Pages of accounts for operators: an admin sees all, a reseller its own. */
export function registerAccounts(panel: Panel): void {
  panel.get('/accounts', operator, accountsPage);
  panel.get(EXPORT_PATH, operator, exportAccountsAsCsv);
  const onNew = (path: string, mode: CreateMode) => {
    panel.get(path, allowed('account.create'), (c) => newAccountPage(c, mode));
    const run = (c: PanelContext) => create(c, mode);
    panel.post(
      path,
      allowed('account.create'),
      onSubmit(run, (c, refused) => newAccountPage(c, mode, refused)),
    );
  };
  onNew('/accounts/new', 'package');
  onNew('/accounts/new/custom', 'custom');

  for (const { kind, action } of manyKinds) {
    panel.get(manyPath(kind), allowed(action), (c) => manyPage(c, kind));
    panel.post(
      manyPath(kind),
      allowed(action),
      onSubmit(
        (c) => changeMany(c, kind),
        (c, refused) => manyPage(c, kind, refused),
      ),
    );
  }

  panel.get(ONE, operator, (c) => accountPage(c));
  panel.get(`${ONE}/person`, allowed('account.set-person'), (c) => personPage(c));
  panel.post(`${ONE}/person`, allowed('account.set-person'), onSubmit(savePerson, personPage));
  panel.get(`${ONE}/package`, allowed('account.change-package'), (c) => packagePage(c));
  panel.post(`${ONE}/package`, allowed('account.change-package'), onSubmit(changePackage, packagePage));
  panel.get(`${ONE}/limits`, allowed('account.set-resources'), (c) => limitsPage(c));
  panel.post(`${ONE}/limits`, allowed('account.set-resources'), onSubmit(changeLimits, limitsPage));
  panel.get(`${ONE}/password`, allowed('account.set-password'), (c) => passwordPage(c));
  panel.post(`${ONE}/password`, allowed('account.set-password'), proven, onSubmit(setPassword, passwordPage));
  panel.get(`${ONE}/hand-over`, allowed('account.hand-over'), (c) => handOverPage(c));
  panel.post(`${ONE}/hand-over`, allowed('account.hand-over'), onSubmit(handOver, handOverPage));
  panel.post(`${ONE}/retry`, allowed('account.retry'), onSubmit(retry, accountPage));
  panel.get(`${ONE}/suspend`, allowed('account.suspend'), suspendPage);
  panel.post(`${ONE}/suspend`, allowed('account.suspend'), onSubmit(suspend, accountPage));
  panel.post(`${ONE}/unsuspend`, allowed('account.unsuspend'), onSubmit(unsuspend, accountPage));
  panel.post(`${ONE}/log-in`, allowed('account.login-link'), onSubmit(logInAs, accountPage));
  panel.post(`${ONE}/second-factor/unlock`, allowed('totp.unlock'), proven, onSubmit(unlock, accountPage));
  panel.post(`${ONE}/second-factor/reset`, allowed('totp.reset'), proven, onSubmit(reset, accountPage));
  panel.get(`${ONE}/terminate`, allowed('account.terminate'), terminatePage);
  panel.post(`${ONE}/terminate`, allowed('account.terminate'), onSubmit(terminate, accountPage));
}

async function changePackage(c: PanelContext): Promise<Response> {
  const { package_id } = fieldsOf(endpoints.changeAccountPackage.body, c.var.form);
  const written = await changeAccountPackage(operatorContext(c), { account_id: recordId(c), package_id });
  return await changed(c, written, textsFor(c, accountTexts).packageChanged(written.view.package.name));
}

async function changeLimits(c: PanelContext): Promise<Response> {
  const terminal_access = c.var.form.terminal_access === '1' ? '1' : '0';
  const { form, refused } = unlimitedOf(
    { ...c.var.form, terminal_access },
    accountFields.unlimitable,
    textsFor(c, uiTexts),
  );
  const resources = fieldsOf(endpoints.setAccountResources.body, form, refused);
  const written = await setAccountResources(operatorContext(c), { account_id: recordId(c), ...resources });
  return await changed(c, written, textsFor(c, accountTexts).limitsChanged);
}

async function setPassword(c: PanelContext): Promise<Response> {
  const { password } = fieldsOf(endpoints.setAccountPassword.body, c.var.form);
  const written = await setAccountPassword(operatorContext(c), { account_id: recordId(c), password });
  return await changed(c, written, textsFor(c, accountTexts).passwordSet);
}

async function retry(c: PanelContext): Promise<Response> {
  const account_id = recordId(c);
  await waitForNode(c, await retryAccount(operatorContext(c), { account_id }));
  return goTo(c, `/accounts/${account_id}`);
}

async function suspend(c: PanelContext): Promise<Response> {
  const written = await suspendAccount(operatorContext(c), {
    account_id: recordId(c),
    reason: textOf(c.var.form, 'reason'),
  });
  return await changed(c, written, textsFor(c, accountTexts).isSuspended(written.view.username));
}

async function unsuspend(c: PanelContext): Promise<Response> {
  const written = await unsuspendAccount(operatorContext(c), { account_id: recordId(c) });
  return await changed(c, written, textsFor(c, accountTexts).isActiveAgain(written.view.username));
}

/** Redirects to the account, whose page shows what its server still has to do. */
async function changed(c: PanelContext, written: Written<AccountView>, sentence: string): Promise<Response> {
  await waitForNode(c, written);
  return goToWithNotice(c, `/accounts/${written.accountId}`, sentence);
}

async function unlock(c: PanelContext): Promise<Response> {
  const { id, username } = await accountOf(c);
  await unlockSecondFactor(operatorContext(c), { username });
  return goToWithNotice(c, `/accounts/${id}`, textsFor(c, uiTexts).factorWasUnlocked(username));
}

async function reset(c: PanelContext): Promise<Response> {
  const { id, username } = await accountOf(c);
  await resetSecondFactor(operatorContext(c), { username });
  return goToWithNotice(c, `/accounts/${id}`, textsFor(c, uiTexts).factorWasReset(username));
}

async function terminate(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, accountTexts);
  const { id, username } = await accountOf(c);
  if (textOf(c.var.form, 'username').toLowerCase() !== username)
    throw invalidField('username', texts.typeExactly(username));
  const outcome = await waitForNode(c, await terminateAccount(operatorContext(c), { account_id: id }));
  return goToWithNotice(
    c,
    '/accounts',
    outcome === 'absent' ? texts.wasRemoved(username) : texts.isBeingRemoved(username),
  );
}

async function accountOf(c: PanelContext): Promise<AccountView> {
  return await getAccount(operatorContext(c), { account_id: recordId(c), include: new Set() });
}
