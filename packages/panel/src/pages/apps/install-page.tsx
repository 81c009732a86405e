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
import { type FormState, freshForm, PostForm, SelectField, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Notice, Table } from '../../ui/parts.tsx';
import { Room } from '../../ui/record-state.tsx';
import { TemplateFields, templateDefaults, withoutDeployKey } from './template-fields.tsx';

const above = [{ name: 'Apps', path: '/apps' }];

/**
 * The list of templates, or the form of the chosen template. `domain` in the address preselects the site. `notice`:
 * what happened before, above a refused form.
 */
export async function installPage(c: PanelContext, refused?: Refused, notice?: Child): Promise<Response> {
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
      { title: 'Install an app', above, status },
      <>
        <Room {...room} kinds="apps" />
        {canInstall ? <Templates templates={await listAppTemplates(ctx)} domain={domain} /> : null}
      </>,
    );
  const choices = await getInstallChoices(ctx, { account_id });
  return page(
    c,
    {
      title: `Install ${template.name}`,
      above: [...above, { name: 'Install an app', path: '/apps/new' }],
      status,
    },
    <>
      {notice}
      <Card title={template.name}>
        {template.description === '' ? null : <p>{template.description}</p>}
        <Room {...room} kinds="apps" />
        {template.requires_domain && choices.domains.length === 0 ? (
          <Notice tone="bad">
            {`${template.name} needs a domain without another app. You have no such domain. `}
            <a href="/sites/new">Create a site first</a>.
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
  return (
    <Card title="Choose a template">
      <Table
        caption="Templates"
        headings={['Template', 'Description', 'Domain', '']}
        rows={templates.map(({ key, name, description, requires_domain }) => [
          name,
          description,
          requires_domain ? 'required' : 'optional',
          <a
            class="btn"
            href={`/apps/new?${new URLSearchParams({ template: key, ...(domain === '' ? {} : { domain }) })}`}
            aria-label={`Choose ${name}`}
          >
            Choose
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
  const { key } = template;
  return (
    <PostForm c={c} action="/apps" state={state} submit={`Install ${template.name}`}>
      <input type="hidden" name="template_key" value={key} />
      <TextField
        state={state}
        name="name"
        label="Name"
        hint="Name of the app in this panel."
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
  const none = template.requires_domain ? [] : [['', 'No domain (not public)'] as const];
  const options = choices.domains.map(({ id, domain_name }) => [`${id}`, domain_name] as const);
  return (
    <SelectField
      state={state}
      name="domain_id"
      label="Domain"
      hint="Visitors reach the app at this domain. The list has only domains without an app: a domain can have one app."
      options={[...none, ...options]}
    />
  );
}
