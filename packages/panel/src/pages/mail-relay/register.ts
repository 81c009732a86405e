import { mailRelay, mailRelayTest } from '@innkeeper/contract';
import { removeMailRelay, setMailRelay, testMailRelay } from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { fieldsOf, onSubmit } from '../../http/form.ts';
import { proven } from '../../http/proof.tsx';
import { recordId } from '../../http/record-id.ts';
import { goTo, goToWithNotice } from '../../http/redirect.ts';
import { allowed, operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { nodeRelayPage, relayPage } from './mail-relay-page.tsx';
import { mailRelayTexts } from './texts/index.ts';

const OF_NODE = '/nodes/:id{[1-9][0-9]{0,14}}/mail-relay';

/** The mail relay of hosting accounts: of the installation, and of one server. */
export function registerMailRelay(panel: Panel): void {
  panel.get('/mail-relay', allowed('mail-relay.set'), (c) => relayPage(c));
  panel.post('/mail-relay', allowed('mail-relay.set'), proven, onSubmit(save, relayPage));
  panel.post('/mail-relay/remove', allowed('mail-relay.remove'), proven, onSubmit(remove, relayPage));

  panel.get(OF_NODE, allowed('mail-relay.set'), (c) => nodeRelayPage(c));
  panel.post(OF_NODE, allowed('mail-relay.set'), proven, onSubmit(saveOfNode, nodeRelayPage));
  panel.post(
    `${OF_NODE}/remove`,
    allowed('mail-relay.remove'),
    proven,
    onSubmit(removeOfNode, nodeRelayPage),
  );
  panel.post(`${OF_NODE}/test`, allowed('mail-relay.test'), onSubmit(test, nodeRelayPage));
}

async function save(c: PanelContext): Promise<Response> {
  await setMailRelay(operatorContext(c), inputOf(c));
  return goToWithNotice(c, '/mail-relay', textsFor(c, mailRelayTexts).saved);
}

async function saveOfNode(c: PanelContext): Promise<Response> {
  const node = recordId(c);
  await setMailRelay(operatorContext(c), { ...inputOf(c), node });
  return goToWithNotice(c, `/nodes/${node}/mail-relay`, textsFor(c, mailRelayTexts).saved);
}

function inputOf(c: PanelContext) {
  const { form } = c.var;
  // The page that confirms the identity carries no passwords. Without this the stored one would silently stay.
  const isLost = form.username !== undefined && form.username !== '' && form.relay_password === undefined;
  return fieldsOf(
    mailRelay,
    form,
    isLost ? { relay_password: [textsFor(c, mailRelayTexts).passwordLost] } : {},
  );
}

async function remove(c: PanelContext): Promise<Response> {
  await removeMailRelay(operatorContext(c), {});
  return goToWithNotice(c, '/mail-relay', textsFor(c, mailRelayTexts).removed);
}

async function removeOfNode(c: PanelContext): Promise<Response> {
  const node = recordId(c);
  await removeMailRelay(operatorContext(c), { node });
  return goToWithNotice(c, `/nodes/${node}/mail-relay`, textsFor(c, mailRelayTexts).removed);
}

async function test(c: PanelContext): Promise<Response> {
  const node = recordId(c);
  await testMailRelay(operatorContext(c), { ...fieldsOf(mailRelayTest, c.var.form), node });
  return goTo(c, `/nodes/${node}/mail-relay`);
}
