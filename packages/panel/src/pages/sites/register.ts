import { checkDns, getDomain, installSsl, removeDomain, retryDomain } from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { onSubmit, waitForNode } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { goTo, goToWithNotice } from '../../http/redirect.ts';
import { customer, customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { createSite } from './new-site.ts';
import { newSitePage } from './new-site-page.tsx';
import { registerSiteSettings } from './register-site-settings.ts';
import { type RefusedForm, sitePage } from './site-page.tsx';
import { sitesPage } from './sites-page.tsx';
import { siteTexts } from './texts/index.ts';

/** The customer's sites: domains with their certificates and apps. */
export function registerSites(panel: Panel): void {
  panel.get('/sites', customer, (c) => sitesPage(c));
  panel.get('/sites/new', customer, (c) => newSitePage(c));
  panel.post('/sites', customer, onSubmit(createSite, newSitePage));

  panel.get('/sites/:id', customer, (c) => sitePage(c));
  const onRecord = (form: RefusedForm['form'], run: (c: PanelContext) => Promise<Response>) =>
    panel.post(
      `/sites/:id/${form}`,
      customer,
      onSubmit(run, (c, state) => sitePage(c, { form, state })),
    );
  onRecord('ssl', requestCertificate);
  onRecord('check-dns', checkNow);
  onRecord('remove', remove);
  onRecord('retry', retry);
  registerSiteSettings(panel, (c, form, state) => sitePage(c, { form, state }));
}

async function requestCertificate(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, siteTexts);
  const written = await installSsl(customerContext(c), { domain_id: recordId(c) });
  await waitForNode(c, written);
  const { id, domain_name, ssl } = written.view;
  const path = `/sites/${id}`;
  if (ssl.status === 'active') return goToWithNotice(c, path, texts.validCertificate(domain_name));
  // The page says what came of it. A message that it was requested would contradict a failure.
  const now = await getDomain(customerContext(c), { domain_id: id });
  return now.ssl.status === 'failed'
    ? goTo(c, path)
    : goToWithNotice(c, path, texts.wasRequested(domain_name));
}

async function checkNow(c: PanelContext): Promise<Response> {
  const domain_id = recordId(c);
  await checkDns(customerContext(c), { domain_id });
  return goTo(c, `/sites/${domain_id}`);
}

async function retry(c: PanelContext): Promise<Response> {
  const domain_id = recordId(c);
  await waitForNode(c, await retryDomain(customerContext(c), { domain_id }));
  return goTo(c, `/sites/${domain_id}`);
}

async function remove(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, siteTexts);
  const ctx = customerContext(c);
  const { domain_name } = await getDomain(ctx, { domain_id: recordId(c) });
  const written = await removeDomain(ctx, { domain_id: recordId(c) });
  const outcome = await waitForNode(c, written);
  return goToWithNotice(
    c,
    '/sites',
    outcome === 'applied' ? texts.wasRemoved(domain_name) : texts.isBeingRemoved(domain_name),
  );
}
