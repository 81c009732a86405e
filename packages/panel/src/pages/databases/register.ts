import { endpoints } from '@innkeeper/contract';
import {
  allowDatabaseIp,
  createDatabase,
  removeDatabase,
  resetDatabasePassword,
  revokeDatabaseIp,
  showDatabasePassword,
} from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { fieldsOf, onSubmit, waitForNode } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { customer, customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { databasePage, type RefusedForm } from './database-page.tsx';
import { databasesPage } from './databases-page.tsx';
import { receiveImport, sendExport } from './move-data.ts';
import { databaseTexts } from './texts/index.ts';

/** The customer's databases. */
export function registerDatabases(panel: Panel): void {
  panel.get('/databases', customer, (c) => databasesPage(c));
  panel.post('/databases', customer, onSubmit(create, databasesPage));

  panel.get('/databases/:id', customer, (c) => databasePage(c));
  const onRecord = (path: string, form: RefusedForm['form'], run: (c: PanelContext) => Promise<Response>) =>
    panel.post(
      `/databases/:id/${path}`,
      customer,
      onSubmit(run, (c, state) => databasePage(c, { refused: { form, state } })),
    );
  onRecord('password', 'show-password', showPassword);
  onRecord('reset-password', 'reset-password', resetPassword);
  onRecord('allowed-ips', 'allow-ip', allowIp);
  onRecord('revoked-ips', 'revoke-ip', revokeIp);
  onRecord('remove', 'remove', remove);
  onRecord('import', 'import', receiveImport);
  panel.get('/databases/:id/export', customer, (c) => sendExport(c));
}

async function create(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, databaseTexts);
  const ctx = customerContext(c);
  const hosting_account_id = ctx.actor.accountId;
  const { name } = fieldsOf(endpoints.createDatabase.body, { ...c.var.form, hosting_account_id });
  const written = await createDatabase(ctx, { hosting_account_id, name });
  await waitForNode(c, written);
  const { id, db_name } = written.view;
  return goToWithNotice(c, `/databases/${id}`, texts.wasAdded(db_name));
}

/** The response itself shows the password. After a redirect, a reload could show it again. */
async function showPassword(c: PanelContext): Promise<Response> {
  const password = await showDatabasePassword(customerContext(c), { database_id: recordId(c) });
  return await databasePage(c, { password });
}

async function resetPassword(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, databaseTexts);
  const written = await resetDatabasePassword(customerContext(c), { database_id: recordId(c) });
  const outcome = await waitForNode(c, written);
  return goToWithNotice(c, pathOf(c), outcome === 'applied' ? texts.newPassword : texts.settingPassword);
}

async function allowIp(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, databaseTexts);
  const { ip } = fieldsOf(endpoints.allowDatabaseIp.body, c.var.form);
  const written = await allowDatabaseIp(customerContext(c), { database_id: recordId(c), ip });
  await waitForNode(c, written);
  return goToWithNotice(c, pathOf(c), texts.canConnect(ip));
}

async function revokeIp(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, databaseTexts);
  const { ip } = fieldsOf(endpoints.allowDatabaseIp.body, c.var.form);
  const written = await revokeDatabaseIp(customerContext(c), { database_id: recordId(c), ip });
  await waitForNode(c, written);
  return goToWithNotice(c, pathOf(c), texts.cannotConnect(ip));
}

async function remove(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, databaseTexts);
  const written = await removeDatabase(customerContext(c), { database_id: recordId(c) });
  const outcome = await waitForNode(c, written);
  const { db_name } = written.view;
  return goToWithNotice(
    c,
    '/databases',
    outcome === 'applied' ? texts.wasRemoved(db_name) : texts.isBeingRemoved(db_name),
  );
}

function pathOf(c: PanelContext): string {
  return `/databases/${recordId(c)}`;
}
