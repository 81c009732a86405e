import { newSshKey } from '@innkeeper/contract';
import { createSshKey, removeSshKey } from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { fieldsOf, onSubmit, waitForNode } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { customer, customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { sshKeysPage } from './ssh-keys-page.tsx';
import { sshKeyTexts } from './texts/index.ts';

/** How the customer logs in to the account over SSH. */
export function registerSshKeys(panel: Panel): void {
  panel.get('/ssh-keys', customer, (c) => sshKeysPage(c));
  panel.post('/ssh-keys', customer, onSubmit(add, sshKeysPage));
  panel.post('/ssh-keys/:id/remove', customer, onSubmit(remove, sshKeysPage));
}

async function add(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  const fields = fieldsOf(newSshKey, c.var.form);
  const written = await createSshKey(ctx, { ...fields, account_id: ctx.actor.accountId });
  await waitForNode(c, written);
  return goToWithNotice(c, '/ssh-keys', textsFor(c, sshKeyTexts).wasAdded(written.view.name));
}

async function remove(c: PanelContext): Promise<Response> {
  const written = await removeSshKey(customerContext(c), { ssh_key_id: recordId(c) });
  await waitForNode(c, written);
  return goToWithNotice(c, '/ssh-keys', textsFor(c, sshKeyTexts).wasRemoved(written.view.name));
}
