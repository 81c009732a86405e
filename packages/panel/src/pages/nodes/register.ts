import {
  acceptNodeCapacity,
  addNode,
  cordonNode,
  removeNode,
  renewJoinToken,
  setNodeCapacity,
  uncordonNode,
} from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { onSubmit, textOf } from '../../http/form.ts';
import { proven } from '../../http/proof.tsx';
import { recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { allowed, operatorContext, staff } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { capacityOf } from './capacity.tsx';
import { joinPage, newNodePage } from './new-node-page.tsx';
import { nodePage } from './node-page.tsx';
import { nodesPage } from './nodes-page.tsx';
import { nodesTexts } from './texts/index.ts';

const ONE = '/nodes/:id{[1-9][0-9]{0,14}}';

/** Hosting servers: for staff. */
export function registerNodes(panel: Panel): void {
  panel.get('/nodes', staff, nodesPage);
  panel.get('/nodes/new', allowed('node.add'), (c) => newNodePage(c));
  panel.post('/nodes/new', allowed('node.add'), proven, onSubmit(add, newNodePage));

  panel.get(ONE, staff, (c) => nodePage(c));
  panel.post(`${ONE}/join-token`, allowed('node.renew-join-token'), proven, newJoinToken);
  panel.post(`${ONE}/cordon`, allowed('node.cordon'), cordon);
  panel.post(`${ONE}/uncordon`, allowed('node.uncordon'), uncordon);
  panel.post(
    `${ONE}/capacity`,
    allowed('node.set-capacity'),
    onSubmit(setCapacity, (c, state) => nodePage(c, { form: 'capacity', state })),
  );
  panel.post(`${ONE}/accept-capacity`, allowed('node.accept-capacity'), acceptCapacity);
  panel.post(
    `${ONE}/remove`,
    allowed('node.remove'),
    onSubmit(remove, (c, state) => nodePage(c, { form: 'remove', state })),
  );
}

async function add(c: PanelContext): Promise<Response> {
  const { form } = c.var;
  const input = { name: textOf(form, 'name'), address: textOf(form, 'address') };
  return joinPage(c, await addNode(operatorContext(c), input));
}

async function newJoinToken(c: PanelContext): Promise<Response> {
  return joinPage(c, await renewJoinToken(operatorContext(c), { node: recordId(c) }));
}

async function cordon(c: PanelContext): Promise<Response> {
  const { id, name } = await cordonNode(operatorContext(c), { node: recordId(c) });
  return goToWithNotice(c, `/nodes/${id}`, textsFor(c, nodesTexts).pausedNow(name));
}

async function uncordon(c: PanelContext): Promise<Response> {
  const { id, name } = await uncordonNode(operatorContext(c), { node: recordId(c) });
  return goToWithNotice(c, `/nodes/${id}`, textsFor(c, nodesTexts).resumed(name));
}

async function setCapacity(c: PanelContext): Promise<Response> {
  const { id, name } = await setNodeCapacity(operatorContext(c), {
    node: recordId(c),
    ...capacityOf(c),
  });
  return goToWithNotice(c, `/nodes/${id}`, textsFor(c, nodesTexts).saved(name));
}

async function acceptCapacity(c: PanelContext): Promise<Response> {
  const { id, name } = await acceptNodeCapacity(operatorContext(c), { node: recordId(c) });
  return goToWithNotice(c, `/nodes/${id}`, textsFor(c, nodesTexts).accepted(name));
}

async function remove(c: PanelContext): Promise<Response> {
  const { name } = await removeNode(operatorContext(c), { node: recordId(c) });
  return goToWithNotice(c, '/nodes', textsFor(c, nodesTexts).removed(name));
}
