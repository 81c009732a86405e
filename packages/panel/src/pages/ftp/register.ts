import { changedFtpLogin, newFtpLogin } from '@innkeeper/contract';
import { changeFtpLogin, createFtpLogin, removeFtpLogin } from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { fieldsOf, onSubmit, waitForNode } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { goTo, goToWithNotice } from '../../http/redirect.ts';
import { customer, customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { ftpLoginPage, newFtpLoginPage } from './ftp-login-page.tsx';
import { ftpTexts } from './texts/index.ts';

/** Additional FTP and SFTP logins. The page of SSH lists them. */
export function registerFtp(panel: Panel): void {
  panel.get('/ftp', customer, (c) => goTo(c, '/ssh-keys'));
  panel.get('/ftp/new', customer, (c) => newFtpLoginPage(c));
  panel.post('/ftp', customer, onSubmit(add, newFtpLoginPage));
  panel.get('/ftp/:id', customer, (c) => ftpLoginPage(c));
  panel.post('/ftp/:id', customer, onSubmit(change, ftpLoginPage));
  panel.post('/ftp/:id/remove', customer, onSubmit(remove, ftpLoginPage));
}

async function add(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  const fields = fieldsOf(newFtpLogin, c.var.form);
  const written = await createFtpLogin(ctx, { ...fields, account_id: ctx.actor.accountId });
  await waitForNode(c, written);
  return goToWithNotice(c, '/ssh-keys', textsFor(c, ftpTexts).wasAdded(written.view.name));
}

async function change(c: PanelContext): Promise<Response> {
  const fields = fieldsOf(changedFtpLogin, c.var.form);
  const written = await changeFtpLogin(customerContext(c), { ...fields, ftp_login_id: recordId(c) });
  await waitForNode(c, written);
  return goToWithNotice(c, `/ftp/${written.view.id}`, textsFor(c, ftpTexts).wasChanged(written.view.name));
}

async function remove(c: PanelContext): Promise<Response> {
  const written = await removeFtpLogin(customerContext(c), { ftp_login_id: recordId(c) });
  await waitForNode(c, written);
  return goToWithNotice(c, '/ssh-keys', textsFor(c, ftpTexts).wasRemoved(written.view.name));
}
