import { packageMail } from '@innkeeper/contract';
import {
  assignPackage,
  changePackage,
  createPackage,
  deletePackage,
  replacePackage,
  retirePackage,
  setPackageMail,
  unassignPackage,
  updatePackage,
} from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { fieldsOf, numberOf, onSubmit, textOf } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { goTo, goToWithNotice } from '../../http/redirect.ts';
import { allowed, operator, operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { askAboutAccounts, changeOf, editPackagePage } from './edit-package-page.tsx';
import { newPackagePage, packageOf } from './new-package-page.tsx';
import { packagePage } from './package-page.tsx';
import { packagesPage } from './packages-page.tsx';
import { packageTexts } from './texts/index.ts';

const ONE = '/packages/:id{[1-9][0-9]{0,14}}';

/** Packages: an admin sees all, a reseller those that it can sell. */
export function registerPackages(panel: Panel): void {
  panel.get('/packages', operator, packagesPage);
  panel.get('/packages/new', allowed('package.create'), (c) => newPackagePage(c));
  panel.post('/packages/new', allowed('package.create'), onSubmit(create, newPackagePage));

  panel.get(ONE, operator, (c) => packagePage(c));
  panel.post(`${ONE}/assign`, allowed('package.assign'), onSubmit(assign, packagePage));
  panel.post(`${ONE}/smtp-port-25`, allowed('package.update'), onSubmit(changeSmtp, packagePage));
  panel.post(`${ONE}/mail`, allowed('package.update'), onSubmit(changeMail, packagePage));
  panel.post(`${ONE}/unassign`, allowed('package.unassign'), onSubmit(unassign, packagePage));

  panel.get(`${ONE}/edit`, allowed('package.change'), (c) => editPackagePage(c));
  panel.post(`${ONE}/edit`, allowed('package.change'), onSubmit(edit, editPackagePage));
  panel.post(
    `${ONE}/retire`,
    allowed('package.retire'),
    onSubmit((c) => offer(c, false), packagePage),
  );
  panel.post(
    `${ONE}/offer`,
    allowed('package.offer'),
    onSubmit((c) => offer(c, true), packagePage),
  );
  panel.post(`${ONE}/delete`, allowed('package.delete'), onSubmit(remove, packagePage));
  panel.post(`${ONE}/replace`, allowed('package.replace'), onSubmit(replace, packagePage));
}

async function create(c: PanelContext): Promise<Response> {
  const { id, name } = await createPackage(operatorContext(c), packageOf(c));
  return goToWithNotice(c, `/packages/${id}`, textsFor(c, packageTexts).created(name));
}

async function assign(c: PanelContext): Promise<Response> {
  const package_id = recordId(c);
  const reseller = textOf(c.var.form, 'reseller');
  await assignPackage(operatorContext(c), { package_id, reseller });
  return goToWithNotice(c, `/packages/${package_id}`, textsFor(c, packageTexts).assigned(reseller));
}

async function changeSmtp(c: PanelContext): Promise<Response> {
  const smtp_port_25 = textOf(c.var.form, 'smtp_port_25') === '1';
  const { id, name } = await updatePackage(operatorContext(c), { package_id: recordId(c), smtp_port_25 });
  const texts = textsFor(c, packageTexts);
  const sentence = smtp_port_25 ? texts.portOpened(name) : texts.portClosed(name);
  return goToWithNotice(c, `/packages/${id}`, sentence);
}

async function changeMail(c: PanelContext): Promise<Response> {
  const package_id = recordId(c);
  const { name } = await setPackageMail(operatorContext(c), {
    ...fieldsOf(packageMail, c.var.form),
    package_id,
  });
  return goToWithNotice(c, `/packages/${package_id}`, textsFor(c, packageTexts).mailSaved(name));
}

async function unassign(c: PanelContext): Promise<Response> {
  const package_id = recordId(c);
  const reseller = textOf(c.var.form, 'reseller');
  await unassignPackage(operatorContext(c), { package_id, reseller });
  return goToWithNotice(c, `/packages/${package_id}`, textsFor(c, packageTexts).unassigned(reseller));
}

async function edit(c: PanelContext): Promise<Response> {
  const input = changeOf(c);
  const question = await askAboutAccounts(c, input);
  if (question !== undefined) return question;
  const package_id = recordId(c);
  const { package: saved, bulk_change_id } = await changePackage(operatorContext(c), {
    ...input,
    package_id,
  });
  const sentence = textsFor(c, packageTexts).saved(saved.name);
  return goToWithNotice(
    c,
    bulk_change_id === null ? `/packages/${package_id}` : `/changes/${bulk_change_id}`,
    sentence,
  );
}

async function offer(c: PanelContext, is_active: boolean): Promise<Response> {
  const { id, name } = await retirePackage(operatorContext(c), { package_id: recordId(c), is_active });
  const texts = textsFor(c, packageTexts);
  return goToWithNotice(c, `/packages/${id}`, is_active ? texts.offered(name) : texts.retired(name));
}

async function remove(c: PanelContext): Promise<Response> {
  const { name } = await deletePackage(operatorContext(c), { package_id: recordId(c) });
  return goToWithNotice(c, '/packages', textsFor(c, packageTexts).deleted(name));
}

async function replace(c: PanelContext): Promise<Response> {
  const input = { package_id: recordId(c), to_package_id: numberOf(c.var.form, 'to_package_id') };
  const { bulk_change_id } = await replacePackage(operatorContext(c), input);
  return goTo(c, `/changes/${bulk_change_id}`);
}
