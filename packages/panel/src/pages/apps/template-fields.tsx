import type { AppTemplate } from '@innkeeper/domain';
import type { Form } from '../../env.ts';
import { useTexts } from '../../language/use-texts.ts';
import { type FormState, SelectField, TextAreaField, TextField } from '../../ui/form.tsx';
import { VARIABLES_FIELD } from './install-fields.ts';
import { appTexts } from './texts/index.ts';

interface FieldsAt {
  state: FormState;
  /** Name of a field in its form. A form with the fields of several templates gives each a prefix. */
  at: (field: string) => string;
}

interface TemplateFieldsProps extends FieldsAt {
  template: AppTemplate;
  /** Versions of Node.js on the server. Empty if it has not reported them. */
  nodeVersions: readonly string[];
}

/** The values of a template's fields before anything is typed. */
export function templateDefaults({ start_command, env_schema }: AppTemplate): Form {
  return {
    start_command: start_command ?? '',
    env: Object.fromEntries(env_schema.map((variable) => [variable.name, variable.default ?? ''])),
    git: { branch: 'main' },
  };
}

/** The panel does not send a pasted key back in a page. */
export function withoutDeployKey(refused: FormState): FormState {
  const { git } = refused.values;
  if (typeof git !== 'object' || git === null) return refused;
  return { ...refused, values: { ...refused.values, git: { ...git, deploy_key: '' } } };
}

/** The fields that a template adds to a form: its variables, and the program and repository of a Node.js app. */
export function TemplateFields(props: TemplateFieldsProps) {
  const texts = useTexts(appTexts);
  const { template, state, at } = props;
  const isProgram = template.runtime === 'nodejs';
  return (
    <>
      {isProgram ? <ProgramFields {...props} /> : null}
      {template.env_schema.map((variable) => (
        <VariableField variable={variable} state={state} at={at} />
      ))}
      {isProgram ? (
        <TextAreaField
          state={state}
          name={at(VARIABLES_FIELD)}
          label={texts.moreVariables}
          hint={texts.variablesHint}
          attributes={{ spellcheck: false, autocapitalize: 'none', rows: 4 }}
        />
      ) : null}
      {isProgram ? <GitFields state={state} at={at} /> : null}
    </>
  );
}

export function ProgramFields({ template, nodeVersions, state, at }: TemplateFieldsProps) {
  const texts = useTexts(appTexts);
  const known = (version: string) => nodeVersions.length === 0 || nodeVersions.includes(version);
  const versions = (template.node_versions ?? []).filter(known).toReversed();
  return (
    <>
      <SelectField
        state={state}
        name={at('node_version')}
        label={texts.nodeVersion}
        options={versions.map((version) => [version, `Node.js ${version}`])}
      />
      <TextField
        state={state}
        name={at('start_command')}
        label={texts.startCommand}
        hint={texts.commandHint}
        attributes={{ required: true, autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
      />
    </>
  );
}

type Variable = AppTemplate['env_schema'][number];

function VariableField({ variable, state, at }: FieldsAt & { variable: Variable }) {
  const texts = useTexts(appTexts);
  const { name, label, description, required, secret, default: fallback } = variable;
  const hint = [description, required || fallback !== null ? '' : texts.optional]
    .filter((sentence) => sentence !== '')
    .join(' ');
  return (
    <TextField
      state={state}
      name={at(`env[${name}]`)}
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

/** `hasKey`: the app may have a key, which is kept where none is given. */
export function GitFields({ state, at, hasKey = false }: FieldsAt & { hasKey?: boolean }) {
  const texts = useTexts(appTexts);
  return (
    <fieldset>
      <legend>{texts.deployGit}</legend>
      <p class="hint">{hasKey ? texts.newSource : texts.noSource}</p>
      <TextField
        state={state}
        name={at('git[repository]')}
        label={texts.repository}
        hint={texts.repositoryHint}
        attributes={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
      />
      <TextField
        state={state}
        name={at('git[branch]')}
        label={texts.branch}
        attributes={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
      />
      <TextAreaField
        state={state}
        name={at('git[deploy_key]')}
        label={texts.deployKey}
        hint={texts.keyHint(hasKey)}
        attributes={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false, rows: 4 }}
      />
    </fieldset>
  );
}
