import type { AppTemplate } from '@innkeeper/domain';
import {
  type AppTemplateView,
  getHosting,
  getInstallChoices,
  type InstallChoices,
  listAppTemplates,
} from '@innkeeper/services';
import type { Child } from 'hono/jsx';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { textOf } from '../../http/form.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import { type FormState, freshForm, PostForm, SelectField, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Notice, Table } from '../../ui/parts.tsx';
import { Room } from '../../ui/record-state.tsx';
import { TemplateFields, templateDefaults, withoutDeployKey } from './template-fields.tsx';
import { appTexts } from './texts/index.ts';

/**
 * The list of templates, or the form of the chosen template. `domain` in the address preselects the site. `notice`:
 * what happened before, above a refused form.
 */
export async function installPage(c: PanelContext, refused?: Refused, notice?: Child): Promise<Response> {
  const texts = textsFor(c, appTexts);
  const above = [{ name: texts.apps, path: '/apps' }];
  const ctx = customerContext(c);
  const account_id = ctx.actor.accountId;
  const { apps: room } = await getHosting(ctx, { account_id });
  const key =
    refused === undefined ? (c.req.query('template') ?? '') : textOf(refused.values, 'template_key');
  const template = ctx.appTemplates.get(key);
  const status = refused?.status ?? 200;
  const canInstall = refused !== undefined || room.used < room.limit;
  const domain = c.req.query('domain') ?? '';
  if (template === undefined || !canInstall)
    return page(
      c,
      { title: texts.installOne, above, status },
      <>
        <Room c={c} {...room} kinds="apps" />
        {canInstall ? <Templates templates={await listAppTemplates(ctx)} domain={domain} /> : null}
      </>,
    );
  const choices = await getInstallChoices(ctx, { account_id });
  return page(
    c,
    {
      title: texts.install(template.name),
      above: [...above, { name: texts.installOne, path: '/apps/new' }],
      status,
    },
    <>
      {notice}
      <Card title={template.name}>
        {template.description === '' ? null : <p>{template.description}</p>}
        <Room c={c} {...room} kinds="apps" />
        {template.requires_domain && choices.domains.length === 0 ? (
          <Notice tone="bad">
            {texts.needsDomain(template.name)}
            <a href="/sites/new">{texts.createSite}</a>.
          </Notice>
        ) : (
          <InstallForm
            c={c}
            template={template}
            choices={choices}
            state={
              refused === undefined
                ? freshForm({ name: template.name, domain_id: domain, ...templateDefaults(template) })
                : withoutDeployKey(refused)
            }
          />
        )}
      </Card>
    </>,
  );
}

function Templates({ templates, domain }: { templates: readonly AppTemplateView[]; domain: string }) {
  const texts = useTexts(appTexts);
  return (
    <Card title={texts.chooseTemplate}>
      <Table
        caption={texts.templates}
        headings={[texts.template, texts.description, texts.domain, '']}
        rows={templates.map(({ key, name, description, requires_domain }) => [
          name,
          description,
          requires_domain ? texts.isRequired : texts.isOptional,
          <a
            class="btn"
            href={`/apps/new?${new URLSearchParams({ template: key, ...(domain === '' ? {} : { domain }) })}`}
            aria-label={texts.chooseThis(name)}
          >
            {texts.choose}
          </a>,
        ])}
      />
    </Card>
  );
}

interface InstallFormProps {
  c: PanelContext;
  template: AppTemplate;
  choices: InstallChoices;
  state: FormState;
}

function InstallForm({ c, template, choices, state }: InstallFormProps) {
  const texts = useTexts(appTexts);
  const { key } = template;
  return (
    <PostForm c={c} action="/apps" state={state} submit={texts.install(template.name)}>
      <input type="hidden" name="template_key" value={key} />
      <TextField
        state={state}
        name="name"
        label={texts.name}
        hint={texts.nameHint}
        attributes={{ maxlength: 64, required: true, autocomplete: 'off' }}
      />
      <DomainField template={template} choices={choices} state={state} />
      <TemplateFields
        template={template}
        nodeVersions={choices.node_versions}
        state={state}
        at={(field) => field}
      />
    </PostForm>
  );
}

function DomainField({ template, choices, state }: Omit<InstallFormProps, 'c'>) {
  const texts = useTexts(appTexts);
  const none = template.requires_domain ? [] : [['', texts.noDomainChoice] as const];
  const options = choices.domains.map(({ id, domain_name }) => [`${id}`, domain_name] as const);
  return (
    <SelectField
      state={state}
      name="domain_id"
      label={texts.domain}
      hint={texts.domainHint}
      options={[...none, ...options]}
    />
  );
}
