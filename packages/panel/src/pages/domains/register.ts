import { endpoints } from '@innkeeper/contract';
import { createDomain, getDomain, installSsl, removeDomain, retryDomain } from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { fieldsOf, onSubmit, waitForNode } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { goTo, goToWithNotice } from '../../http/redirect.ts';
import { customer, customerContext } from '../../http/session.ts';
import { domainPage, type RefusedForm } from './domain-page.tsx';
import { domainsPage } from './domains-page.tsx';

/** The customer's domains and their certificates. */
export function registerDomains(panel: Panel): void {
  panel.get('/domains', customer, (c) => domainsPage(c));
  panel.post('/domains', customer, onSubmit(create, domainsPage));

  panel.get('/domains/:id', customer, (c) => domainPage(c));
  const onRecord = (form: RefusedForm['form'], run: (c: PanelContext) => Promise<Response>) =>
    panel.post(
      `/domains/:id/${form}`,
      customer,
      onSubmit(run, (c, state) => domainPage(c, { form, state })),
    );
  onRecord('ssl', requestCertificate);
  onRecord('remove', remove);
  onRecord('retry', retry);
}

async function create(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  const hosting_account_id = ctx.actor.accountId;
  const { domain_name, is_primary } = fieldsOf(endpoints.createDomain.body, {
    ...c.var.form,
    hosting_account_id,
  });
  const written = await createDomain(ctx, { hosting_account_id, domain_name, is_primary });
  await waitForNode(c, written);
  return goToWithNotice(c, `/domains/${written.view.id}`, `Domain ${domain_name} was added.`);
}

async function requestCertificate(c: PanelContext): Promise<Response> {
  const written = await installSsl(customerContext(c), { domain_id: recordId(c) });
  await waitForNode(c, written);
  return goToWithNotice(
    c,
    `/domains/${written.view.id}`,
    written.view.ssl.status === 'active'
      ? `${written.view.domain_name} already has a valid certificate that is less than a day old. It stays in use.`
      : `A certificate for ${written.view.domain_name} was requested.`,
  );
}

async function retry(c: PanelContext): Promise<Response> {
  const domain_id = recordId(c);
  await waitForNode(c, await retryDomain(customerContext(c), { domain_id }));
  return goTo(c, `/domains/${domain_id}`);
}

async function remove(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  const { domain_name } = await getDomain(ctx, { domain_id: recordId(c) });
  const written = await removeDomain(ctx, { domain_id: recordId(c) });
  const outcome = await waitForNode(c, written);
  return goToWithNotice(
    c,
    '/domains',
    outcome === 'applied' ? `Domain ${domain_name} was removed.` : `Domain ${domain_name} is being removed.`,
  );
}
