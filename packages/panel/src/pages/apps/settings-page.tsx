import type { AppTemplate } from '@innkeeper/domain';
import { type AppView, getApp, getAppControls, getInstallChoices } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import { CheckField, type FormState, freshForm, PostForm, TextAreaField, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Notice } from '../../ui/parts.tsx';
import { VARIABLES_FIELD } from './install-fields.ts';
import { REMOVED_FIELD } from './settings.ts';
import { GitFields, ProgramFields, withoutDeployKey } from './template-fields.tsx';
import { appTexts } from './texts/index.ts';

/** The settings of an app: version, start command, variables and repository. */
export async function settingsPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const texts = textsFor(c, appTexts);
  const ctx = customerContext(c);
  const app_id = recordId(c);
  const [app, { runtime, state }, { node_versions }] = await Promise.all([
    getApp(ctx, { app_id }),
    getAppControls(ctx, { app_id }),
    getInstallChoices(ctx, { account_id: ctx.actor.accountId }),
  ]);
  const template = ctx.appTemplates.get(app.template_key);
  const path = `/apps/${app_id}`;
  return page(
    c,
    {
      title: texts.settingsOf(app.name),
      above: [
        { name: texts.apps, path: '/apps' },
        { name: app.name, path },
      ],
      status: refused?.status ?? 200,
    },
    <Card title={texts.settings}>
      {template === undefined || runtime !== 'nodejs' || state === 'removing' ? (
        <Notice>{texts.cannotChange}</Notice>
      ) : (
        <SettingsForm
          c={c}
          app={app}
          template={template}
          nodeVersions={node_versions}
          state={refused === undefined ? freshForm(valuesOf(app)) : withoutDeployKey(refused)}
        />
      )}
    </Card>,
  );
}

function valuesOf({ node_version, start_command, env_vars, git }: AppView) {
  return {
    node_version,
    start_command,
    env: Object.fromEntries(env_vars.map(({ key, value }) => [key, value ?? ''])),
    git: git ?? { branch: 'main' },
  };
}

interface SettingsFormProps {
  c: PanelContext;
  app: AppView;
  template: AppTemplate;
  nodeVersions: readonly string[];
  state: FormState;
}

function SettingsForm({ c, app, template, nodeVersions, state }: SettingsFormProps) {
  const texts = useTexts(appTexts);
  const at = (field: string) => field;
  return (
    <PostForm c={c} action={`/apps/${app.id}/settings`} state={state} submit={texts.saveSettings}>
      <p>{texts.restarts}</p>
      <ProgramFields template={template} nodeVersions={nodeVersions} state={state} at={at} />
      <fieldset>
        <legend>{texts.variables}</legend>
        {app.env_vars.map((variable) => (
          <VariableRow variable={variable} state={state} />
        ))}
        <TextAreaField
          state={state}
          name={VARIABLES_FIELD}
          label={texts.newVariables}
          hint={texts.variablesHint}
          attributes={{ spellcheck: false, autocapitalize: 'none', rows: 4 }}
        />
      </fieldset>
      <GitFields state={state} at={at} hasKey={app.git !== null} />
    </PostForm>
  );
}

function VariableRow({ variable, state }: { variable: AppView['env_vars'][number]; state: FormState }) {
  const texts = useTexts(appTexts);
  const { key, value, is_secret } = variable;
  const field = { state, name: `env[${key}]`, label: key };
  const attributes = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false };
  return (
    <div class="pair">
      {is_secret ? (
        <TextField
          {...field}
          type="password"
          hint={texts.secretHint}
          attributes={{ ...attributes, autocomplete: 'new-password' }}
        />
      ) : value?.includes('\n') ? (
        <TextAreaField {...field} attributes={{ ...attributes, rows: 4 }} />
      ) : (
        <TextField {...field} attributes={attributes} />
      )}
      <CheckField state={state} name={`${REMOVED_FIELD}[]`} value={key} label={texts.removeVariable(key)} />
    </div>
  );
}
