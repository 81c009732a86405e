import { assignPackage, createPackage, updatePackage } from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { onSubmit, textOf } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { allowed, operator, operatorContext } from '../../http/session.ts';
import { newPackagePage, packageOf } from './new-package-page.tsx';
import { packagePage } from './package-page.tsx';
import { packagesPage } from './packages-page.tsx';

const ONE = '/packages/:id{[1-9][0-9]{0,14}}';

/** Packages: an admin sees all, a reseller those that it can sell. */
export function registerPackages(panel: Panel): void {
  panel.get('/packages', operator, packagesPage);
  panel.get('/packages/new', allowed('package.create'), (c) => newPackagePage(c));
  panel.post('/packages/new', allowed('package.create'), onSubmit(create, newPackagePage));

  panel.get(ONE, operator, (c) => packagePage(c));
  panel.post(`${ONE}/assign`, allowed('package.assign'), onSubmit(assign, packagePage));
  panel.post(`${ONE}/smtp-port-25`, allowed('package.update'), onSubmit(changeSmtp, packagePage));
}

async function create(c: PanelContext): Promise<Response> {
  const { id, name } = await createPackage(operatorContext(c), packageOf(c));
  return goToWithNotice(c, `/packages/${id}`, `The package ${name} was created.`);
}

async function assign(c: PanelContext): Promise<Response> {
  const package_id = recordId(c);
  const reseller = textOf(c.var.form, 'reseller');
  await assignPackage(operatorContext(c), { package_id, reseller });
  return goToWithNotice(c, `/packages/${package_id}`, `${reseller} can sell this package now.`);
}

async function changeSmtp(c: PanelContext): Promise<Response> {
  const smtp_port_25 = textOf(c.var.form, 'smtp_port_25') === '1';
  const { id, name } = await updatePackage(operatorContext(c), { package_id: recordId(c), smtp_port_25 });
  const sentence = `Port 25 is ${smtp_port_25 ? 'open' : 'closed'} for ${name}. Its accounts follow within a minute.`;
  return goToWithNotice(c, `/packages/${id}`, sentence);
}
