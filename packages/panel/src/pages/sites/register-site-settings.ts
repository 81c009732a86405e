import {
  documentRootSetting,
  httpsSetting,
  newAlias,
  passwordSetting,
  phpSetting,
  redirectSetting,
} from '@innkeeper/contract';
import { changeSite, createDomain, getDomain, type SiteChange } from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { fieldsOf, onSubmit, type Refused, waitForNode } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { customer, customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import type { SiteForm } from './site-settings.tsx';
import { siteTexts } from './texts/index.ts';

/** What a change of the settings says, by its name in the texts. */
type Notice =
  | 'settingSaved'
  | 'redirectSaved'
  | 'redirectRemoved'
  | 'folderSaved'
  | 'passwordSaved'
  | 'passwordRemoved';

type Again = (c: PanelContext, form: SiteForm, state: Refused) => Promise<Response>;

/** The forms of `SiteSettings`. `again` shows the domain's page with a refused form. */
export function registerSiteSettings(panel: Panel, again: Again): void {
  const on = (path: string, form: SiteForm, run: (c: PanelContext) => Promise<Response>) =>
    panel.post(
      `/sites/:id/${path}`,
      customer,
      onSubmit(run, (c, state) => again(c, form, state)),
    );
  const onChange = (path: string, form: SiteForm, read: (c: PanelContext) => SiteChange, notice: Notice) =>
    on(path, form, (c) => change(c, read(c), textsFor(c, siteTexts)[notice]));

  onChange(
    'https',
    'https',
    (c) => ({ https_redirect: fieldsOf(httpsSetting, c.var.form).https_redirect ?? false }),
    'settingSaved',
  );
  onChange(
    'redirect',
    'redirect',
    (c) => ({ redirect: fieldsOf(redirectSetting, c.var.form) }),
    'redirectSaved',
  );
  onChange('redirect/remove', 'redirect', () => ({ redirect: null }), 'redirectRemoved');
  onChange(
    'document-root',
    'document-root',
    (c) => ({ document_root: fieldsOf(documentRootSetting, c.var.form).document_root ?? null }),
    'folderSaved',
  );
  onChange(
    'password',
    'password',
    (c) => ({ password: fieldsOf(passwordSetting, c.var.form) }),
    'passwordSaved',
  );
  onChange('password/remove', 'password', () => ({ password: null }), 'passwordRemoved');
  on('php', 'php', (c) =>
    change(c, { php: fieldsOf(phpSetting, c.var.form) }, textsFor(c, siteTexts).php.saved),
  );
  on('php-cache', 'php', (c) =>
    change(c, { empties_php_cache: true }, textsFor(c, siteTexts).php.cacheEmptied),
  );
  on('aliases', 'aliases', addAlias);
}

async function change(c: PanelContext, wanted: SiteChange, notice: string): Promise<Response> {
  const domain_id = recordId(c);
  await waitForNode(c, await changeSite(customerContext(c), { domain_id, ...wanted }));
  return goToWithNotice(c, `/sites/${domain_id}`, notice);
}

async function addAlias(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  const { domain_name } = fieldsOf(newAlias, c.var.form);
  const shown = await getDomain(ctx, { domain_id: recordId(c) });
  const hosting_account_id = ctx.actor.accountId;
  const written = await createDomain(ctx, { hosting_account_id, domain_name, alias_of: shown.id });
  await waitForNode(c, written);
  return goToWithNotice(
    c,
    `/sites/${written.view.id}`,
    textsFor(c, siteTexts).aliasAdded(domain_name, shown.domain_name),
  );
}
