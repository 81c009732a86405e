import { endpoints } from '@innkeeper/contract';
import { invalidField } from '@innkeeper/domain';
import {
  type AccountView,
  changeAccountPackage,
  getAccount,
  resetSecondFactor,
  setAccountPassword,
  setAccountResources,
  suspendAccount,
  terminateAccount,
  unlockSecondFactor,
  unsuspendAccount,
  type Written,
} from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { fieldsOf, settle, submit, textOf } from '../../http/form.ts';
import { goToWithNotice } from '../../http/notice.ts';
import { proven } from '../../http/proof.tsx';
import { operator, operatorContext } from '../../http/session.ts';
import type { FormState } from '../../ui/form.tsx';
import { accountFields, changedLimitsOf } from '../../ui/limit-fields.tsx';
import { resetSentence, unlockSentence } from '../../ui/second-factor-card.tsx';
import { limitsPage, packagePage, passwordPage } from './change.tsx';
import { create, createPage } from './create.tsx';
import { accountsPage } from './list.tsx';
import { logInAs } from './log-in-as.ts';
import { accountPath } from './paths.ts';
import { accountPage } from './show.tsx';

const ONE = '/accounts/:id{[1-9][0-9]{0,14}}';

/** Pages of accounts for operators: an admin sees all, a reseller its own. */
export function registerAccounts(panel: Panel): void {
  panel.get('/accounts', operator, accountsPage);
  panel.get('/accounts/new', operator, (c) => createPage(c, 'package'));
  panel.post('/accounts/new', operator, (c) => create(c, 'package'));
  panel.get('/accounts/new/custom', operator, (c) => createPage(c, 'custom'));
  panel.post('/accounts/new/custom', operator, (c) => create(c, 'custom'));
  panel.get(ONE, operator, (c) => accountPage(c, idOf(c)));
  panel.get(`${ONE}/package`, operator, (c) => packagePage(c, idOf(c)));
  panel.get(`${ONE}/limits`, operator, (c) => limitsPage(c, idOf(c)));
  panel.get(`${ONE}/password`, operator, (c) => passwordPage(c, idOf(c)));

  panel.post(`${ONE}/package`, operator, (c) => {
    const change = async () => {
      const { package_id } = fieldsOf(endpoints.changeAccountPackage.body, c.var.form);
      const written = await changeAccountPackage(operatorContext(c), { account_id: idOf(c), package_id });
      return await changed(c, written, `The package is now ${written.view.package.name}.`);
    };
    return submit(c, change, again(c, packagePage));
  });

  panel.post(`${ONE}/limits`, operator, (c) => {
    const change = async () => {
      const terminal_access = c.var.form.terminal_access === '1' ? '1' : '0';
      const { form, refused } = changedLimitsOf(
        { ...c.var.form, terminal_access },
        accountFields.unlimitable,
      );
      const resources = fieldsOf(endpoints.setAccountResources.body, form, refused);
      const written = await setAccountResources(operatorContext(c), { account_id: idOf(c), ...resources });
      return await changed(c, written, 'The limits were changed.');
    };
    return submit(c, change, again(c, limitsPage));
  });

  panel.post(`${ONE}/password`, operator, proven, (c) => {
    const change = async () => {
      const { password } = fieldsOf(endpoints.setAccountPassword.body, c.var.form);
      const written = await setAccountPassword(operatorContext(c), { account_id: idOf(c), password });
      return await changed(c, written, 'The password was set.');
    };
    return submit(c, change, again(c, passwordPage));
  });

  panel.post(`${ONE}/suspend`, operator, (c) => {
    const suspend = async () => {
      const written = await suspendAccount(operatorContext(c), { account_id: idOf(c) });
      return await changed(c, written, `${written.view.username} is suspended.`);
    };
    return submit(c, suspend, again(c, accountPage));
  });

  panel.post(`${ONE}/unsuspend`, operator, (c) => {
    const unsuspend = async () => {
      const written = await unsuspendAccount(operatorContext(c), { account_id: idOf(c) });
      return await changed(c, written, `${written.view.username} is active again.`);
    };
    return submit(c, unsuspend, again(c, accountPage));
  });

  panel.post(`${ONE}/log-in`, operator, (c) => submit(c, () => logInAs(c, idOf(c)), again(c, accountPage)));

  panel.post(`${ONE}/second-factor/unlock`, operator, proven, (c) => {
    const unlock = async () => {
      const ctx = operatorContext(c);
      const { id, username } = await getAccount(ctx, { account_id: idOf(c), include: new Set() });
      await unlockSecondFactor(ctx, { username });
      return goToWithNotice(c, accountPath(id), unlockSentence(username));
    };
    return submit(c, unlock, again(c, accountPage));
  });

  panel.post(`${ONE}/second-factor/reset`, operator, proven, (c) => {
    const reset = async () => {
      const ctx = operatorContext(c);
      const { id, username } = await getAccount(ctx, { account_id: idOf(c), include: new Set() });
      await resetSecondFactor(ctx, { username });
      return goToWithNotice(c, accountPath(id), resetSentence(username));
    };
    return submit(c, reset, again(c, accountPage));
  });

  panel.post(`${ONE}/terminate`, operator, (c) => submit(c, () => terminate(c), again(c, accountPage)));
}

function idOf(c: PanelContext): number {
  return Number(c.req.param('id'));
}

type ShownAgain = (c: PanelContext, accountId: number, state: FormState, status: number) => Promise<Response>;

function again(c: PanelContext, show: ShownAgain) {
  return ({ status, ...state }: FormState & { status: number }) => show(c, idOf(c), state, status);
}

/** Redirects to the account, whose page shows what its server still has to do. */
async function changed(c: PanelContext, written: Written<AccountView>, sentence: string): Promise<Response> {
  await settle(c, written);
  return goToWithNotice(c, accountPath(written.accountId), sentence);
}

async function terminate(c: PanelContext): Promise<Response> {
  const ctx = operatorContext(c);
  const account_id = idOf(c);
  const { username } = await getAccount(ctx, { account_id, include: new Set() });
  if (textOf(c.var.form, 'username').toLowerCase() !== username)
    throw invalidField('username', `Type ${username} exactly as shown. Nothing was changed.`);
  const outcome = await settle(c, await terminateAccount(ctx, { account_id }));
  return goToWithNotice(
    c,
    '/accounts',
    outcome === 'absent'
      ? `The account ${username} was removed.`
      : `The server is removing the account ${username}.`,
  );
}
