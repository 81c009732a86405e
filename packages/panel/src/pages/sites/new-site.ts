import { endpoints } from '@innkeeper/contract';
import { type AppTemplate, DomainError, type FieldErrors, invalidFields } from '@innkeeper/domain';
import { createApp, createDomain, getApp, type NewApp } from '@innkeeper/services';
import type { Form, PanelContext } from '../../env.ts';
import { fieldsOf, type Refused, submit, textOf, waitForNode } from '../../http/form.ts';
import { goToWithNotice, noteForNextPage } from '../../http/redirect.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import type { FormState } from '../../ui/form.tsx';
import { atFormFields, readInstall, variablesOf } from '../apps/install-fields.ts';
import { appTexts } from '../apps/texts/index.ts';
import { isUnderWay } from '../apps/words.ts';
import { siteWithoutApp } from './site-without-app.tsx';
import { siteTexts } from './texts/index.ts';
import { readTypedName } from './typed-name.ts';

/** The chosen tile: the key of a template, or empty for a site without an app. */
export const APP_FIELD = 'app';

/** Names of the fields that belong to one tile. */
export function fieldOf(templateKey: string): (field: string) => string {
  return (field) => `${templateKey}:${field}`;
}

/**
 * Creates the domain, and then the app on it: two writes. Everything that the form itself can refuse is refused before
 * the first. If the second is refused, the page says what exists, and continues with the app.
 */
export async function createSite(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, siteTexts);
  const ctx = customerContext(c);
  const hosting_account_id = ctx.actor.accountId;
  const typed = textOf(c.var.form, 'domain_name');
  const template = chosenTemplate(c);
  const { name: domain_name, app } = together({
    name: () => readTypedName(typed, texts),
    app: () => (template === undefined ? undefined : readApp(c, template, hosting_account_id)),
  });
  const { is_primary } = fieldsOf(endpoints.createDomain.body, {
    domain_name,
    is_primary: c.var.form.is_primary,
    hosting_account_id,
  });
  const site = await createDomain(ctx, { hosting_account_id, domain_name, is_primary });
  const path = `/sites/${site.view.id}`;
  const created = texts.wasCreated(domain_name);
  if (app === undefined || template === undefined) {
    await waitForNode(c, site);
    return goToWithNotice(c, path, created);
  }
  const install = async () => {
    try {
      const name = domain_name.slice(0, NAME_MAX);
      const written = await createApp(ctx, { ...app, name, domain_id: site.view.id });
      await waitForNode(c, written);
      const { status } = await getApp(ctx, { app_id: written.view.id });
      const sentence = isUnderWay(status) ? texts.wasCreatedWith(domain_name, template.name) : created;
      return goToWithNotice(c, path, sentence);
    } catch (error) {
      throw atFormFields(error, variablesOf(template));
    }
  };
  const values = {
    ...partOf(c.var.form, template),
    name: domain_name.slice(0, NAME_MAX),
    domain_id: `${site.view.id}`,
  };
  noteForNextPage(c, texts.wasCreatedWithout(domain_name, template.name));
  return await submit(c, install, (refused) =>
    siteWithoutApp(c, { site: site.view, template, refused: { ...refused, values } }),
  );
}

function chosenTemplate(c: PanelContext): AppTemplate | undefined {
  const texts = textsFor(c, siteTexts);
  const key = textOf(c.var.form, APP_FIELD);
  if (key === '') return undefined;
  const template = c.var.deps.appTemplates.get(key);
  if (template === undefined) throw new DomainError('invalid', texts.chooseTile);
  return template;
}

/** Runs all readers of parts of a form. Throws the errors of all parts as one, or one that belongs to no field. */
function together<Name, App>(readers: { name: () => Name; app: () => App }): { name: Name; app: App } {
  const errors: Record<string, readonly string[]> = {};
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof DomainError) || error.fields === undefined) throw error;
      Object.assign(errors, error.fields);
      return undefined;
    }
  };
  const name = attempt(readers.name);
  const app = attempt(readers.app);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return { name: name as Name, app: app as App };
}

/** The app of the form without its name. Its errors are at the fields of the tile. */
function readApp(c: PanelContext, template: AppTemplate, accountId: number): NewApp {
  try {
    const form = { ...partOf(c.var.form, template), name: template.key };
    return readInstall(form, accountId, textsFor(c, appTexts));
  } catch (error) {
    const refusal = atFormFields(error, variablesOf(template));
    if (!(refusal instanceof DomainError) || refusal.fields === undefined) throw refusal;
    const at = fieldOf(template.key);
    const fields: FieldErrors = Object.fromEntries(
      Object.entries(refusal.fields).map(([field, sentences]) => [at(field), sentences]),
    );
    throw new DomainError('invalid', refusal.message, { fields });
  }
}

/** The name of an app has at most 64 characters. */
const NAME_MAX = 64;

/** The submitted fields of one tile, by their names in the install form. */
function partOf(form: Form, { key }: AppTemplate): Form {
  const prefix = fieldOf(key)('');
  const own = Object.entries(form).filter(([field]) => field.startsWith(prefix));
  return {
    template_key: key,
    ...Object.fromEntries(own.map(([field, value]) => [field.slice(prefix.length), value])),
  };
}

/** The panel does not send a pasted key back in a page. */
export function withoutKeys(refused: Refused, templates: readonly AppTemplate[]): FormState {
  const values: Record<string, unknown> = { ...refused.values };
  for (const { key } of templates) {
    const field = fieldOf(key)('git');
    const git = values[field];
    if (typeof git === 'object' && git !== null) values[field] = { ...git, deploy_key: '' };
  }
  return { ...refused, values };
}
