import type { AppTemplate } from '@innkeeper/domain';
import {
  type AppTemplateView,
  getHosting,
  getInstallChoices,
  type InstallChoices,
  listAppTemplates,
} from '@innkeeper/services';
import type { Form, PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { textOf } from '../../http/form.ts';
import { customerContext } from '../../http/session.ts';
import {
  type FormState,
  freshForm,
  PostForm,
  SelectField,
  TextAreaField,
  TextField,
} from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Notice, Table } from '../../ui/parts.tsx';
import { Room } from '../../ui/record-state.tsx';
import { VARIABLES_FIELD } from './install-fields.ts';

const above = [{ name: 'Apps', path: '/apps' }];

/** The list of templates, or the form of the chosen template. */
export async function installPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const ctx = customerContext(c);
  const account_id = ctx.actor.accountId;
  const { apps: room } = await getHosting(ctx, { account_id });
  const key =
    refused === undefined ? (c.req.query('template') ?? '') : textOf(refused.values, 'template_key');
  const template = ctx.appTemplates.get(key);
  const status = refused?.status ?? 200;
  const canInstall = refused !== undefined || room.used < room.limit;
  if (template === undefined || !canInstall)
    return page(
      c,
      { title: 'Install an app', above, status },
      <>
        <Room {...room} kinds="apps" />
        {canInstall ? <Templates templates={await listAppTemplates(ctx)} /> : null}
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
    <Card title={template.name}>
      {template.description === '' ? null : <p>{template.description}</p>}
      <Room {...room} kinds="apps" />
      {template.requires_domain && choices.domains.length === 0 ? (
        <Notice tone="bad">
          {`${template.name} needs a domain without another app. You have no such domain. `}
          <a href="/domains">Add a domain first</a>.
        </Notice>
      ) : (
        <InstallForm
          c={c}
          template={template}
          choices={choices}
          state={refused === undefined ? freshForm(beforehand(template)) : withoutSecrets(refused)}
        />
      )}
    </Card>,
  );
}

function Templates({ templates }: { templates: readonly AppTemplateView[] }) {
  return (
    <Card title="Choose a template">
      <Table
        caption="Templates"
        headings={['Template', 'Description', 'Domain', '']}
        rows={templates.map(({ key, name, description, requires_domain }) => [
          name,
          description,
          requires_domain ? 'required' : 'optional',
          <a class="btn" href={`/apps/new?template=${encodeURIComponent(key)}`} aria-label={`Choose ${name}`}>
            Choose
          </a>,
        ])}
      />
    </Card>
  );
}

function beforehand({ name, start_command, env_schema }: AppTemplate): Form {
  return {
    name,
    start_command: start_command ?? '',
    env: Object.fromEntries(env_schema.map((variable) => [variable.name, variable.default ?? ''])),
    git: { branch: 'main' },
  };
}

/** The panel does not send a pasted key back in a page. */
function withoutSecrets(refused: Refused): FormState {
  const { git } = refused.values;
  if (typeof git !== 'object' || git === null) return refused;
  return { ...refused, values: { ...refused.values, git: { ...git, deploy_key: '' } } };
}

interface InstallFormProps {
  c: PanelContext;
  template: AppTemplate;
  choices: InstallChoices;
  state: FormState;
}

function InstallForm({ c, template, choices, state }: InstallFormProps) {
  const { key, runtime, env_schema } = template;
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
      {runtime === 'nodejs' ? <ProgramFields template={template} choices={choices} state={state} /> : null}
      {env_schema.map((variable) => (
        <VariableField variable={variable} state={state} />
      ))}
      {runtime === 'nodejs' ? (
        <TextAreaField
          state={state}
          name={VARIABLES_FIELD}
          label="More environment variables"
          hint="One variable per line, as NAME=value. Put a value with several lines, such as a key, in quotation marks. If the name contains SECRET, TOKEN, PASSWORD or KEY, the panel stores the value as a secret. You cannot change variables later."
          attributes={{ spellcheck: false, autocapitalize: 'none', rows: 4 }}
        />
      ) : null}
      {runtime === 'nodejs' ? <GitFields state={state} /> : null}
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

function ProgramFields({ template, choices, state }: Omit<InstallFormProps, 'c'>) {
  const known = (version: string) =>
    choices.node_versions.length === 0 || choices.node_versions.includes(version);
  const versions = (template.node_versions ?? []).filter(known).toReversed();
  return (
    <>
      <SelectField
        state={state}
        name="node_version"
        label="Node.js version"
        options={versions.map((version) => [version, `Node.js ${version}`])}
      />
      <TextField
        state={state}
        name="start_command"
        label="Start command"
        hint="Command that starts the program in the folder of the release. It runs without a shell: one program with its arguments. The program must listen on the port in the environment variable PORT."
        attributes={{ required: true, autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
      />
    </>
  );
}

type Variable = AppTemplate['env_schema'][number];

function VariableField({ variable, state }: { variable: Variable; state: FormState }) {
  const { name, label, description, required, secret, default: fallback } = variable;
  const hint = [description, required || fallback !== null ? '' : 'Optional.']
    .filter((sentence) => sentence !== '')
    .join(' ');
  return (
    <TextField
      state={state}
      name={`env[${name}]`}
      label={label}
      hint={hint === '' ? undefined : hint}
      type={secret ? 'password' : 'text'}
      attributes={{
        required: required && fallback === null,
        autocomplete: secret ? 'new-password' : 'off',
      }}
    />
  );
}

function GitFields({ state }: { state: FormState }) {
  return (
    <fieldset>
      <legend>Deploy from Git</legend>
      <p class="hint">
        Leave the repository empty to deploy archives or to deploy later. The app then starts with a small
        sample program.
      </p>
      <TextField
        state={state}
        name="git[repository]"
        label="Repository"
        hint="URL of the repository, such as https://git.example.com/me/shop.git or git@git.example.com:me/shop.git, without a password."
        attributes={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
      />
      <TextField
        state={state}
        name="git[branch]"
        label="Branch"
        attributes={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
      />
      <TextAreaField
        state={state}
        name="git[deploy_key]"
        label="Deploy key"
        hint="Private key for a repository over SSH. The panel stores it encrypted and never shows it again. If the form has an error, paste the key again."
        attributes={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false, rows: 4 }}
      />
    </fieldset>
  );
}
