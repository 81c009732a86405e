import { appChangeBody } from '@innkeeper/contract';
import { type AppView, changeApp, getApp } from '@innkeeper/services';
import type { Form, PanelContext } from '../../env.ts';
import { fieldsOf, textOf, waitForNode } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { atFormFields, fieldsIn, readVariables, saysNothing, VARIABLES_FIELD } from './install-fields.ts';
import { appTexts } from './texts/index.ts';

/** Checkboxes with the names of the variables to remove. */
export const REMOVED_FIELD = 'removed';

/** Changes the settings of an app. */
export async function saveSettings(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, appTexts);
  const ctx = customerContext(c);
  const app_id = recordId(c);
  const app = await getApp(ctx, { app_id });
  try {
    const written = await changeApp(ctx, { app_id, ...readChange(c.var.form, app, texts) });
    await waitForNode(c, written);
    return goToWithNotice(c, `/apps/${app_id}`, sentenceFor(app, written.view, texts));
  } catch (error) {
    throw atFormFields(
      error,
      app.env_vars.map(({ key }) => key),
    );
  }
}

type AppTexts = typeof appTexts.en;

function sentenceFor(before: AppView, { git }: AppView, texts: AppTexts): string {
  const hasNewSource = git !== null && JSON.stringify(git) !== JSON.stringify(before.git);
  return hasNewSource ? texts.savedDeploy : texts.saved;
}

/** A variable of the app whose field is not in the form keeps its value, and so does a secret with an empty field. */
function readChange(form: Form, app: AppView, texts: AppTexts) {
  const removed = [form[REMOVED_FIELD]].flat().filter((name) => typeof name === 'string');
  const secrets = new Set(app.env_vars.filter(({ is_secret }) => is_secret).map(({ key }) => key));
  const own = Object.entries(fieldsIn(form.env)).filter(
    ([name, value]) => !removed.includes(name) && !(secrets.has(name) && value === ''),
  );
  const { git } = form;
  const change = fieldsOf(appChangeBody, {
    node_version: form.node_version,
    start_command: form.start_command,
    env: { ...Object.fromEntries(own), ...readVariables(textOf(form, VARIABLES_FIELD), texts) },
    ...(app.git === null && saysNothing(git) ? {} : { git }),
  });
  return { ...change, removed };
}
