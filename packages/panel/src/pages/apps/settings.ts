import { appChangeBody } from '@innkeeper/contract';
import { type AppView, changeApp, getApp } from '@innkeeper/services';
import type { Form, PanelContext } from '../../env.ts';
import { fieldsOf, textOf, waitForNode } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { customerContext } from '../../http/session.ts';
import { atFormFields, fieldsIn, readVariables, saysNothing, VARIABLES_FIELD } from './install-fields.ts';

/** Checkboxes with the names of the variables to remove. */
export const REMOVED_FIELD = 'removed';

/** Changes the settings of an app. */
export async function saveSettings(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  const app_id = recordId(c);
  const app = await getApp(ctx, { app_id });
  try {
    const written = await changeApp(ctx, { app_id, ...readChange(c.var.form, app) });
    await waitForNode(c, written);
    return goToWithNotice(c, `/apps/${app_id}`, sentenceFor(app, written.view));
  } catch (error) {
    throw atFormFields(
      error,
      app.env_vars.map(({ key }) => key),
    );
  }
}

function sentenceFor(before: AppView, { git }: AppView): string {
  const hasNewSource = git !== null && JSON.stringify(git) !== JSON.stringify(before.git);
  return hasNewSource
    ? 'The settings were saved. Deploy from Git to use the new repository or branch.'
    : 'The settings were saved.';
}

/** A variable of the app whose field is not in the form keeps its value, and so does a secret with an empty field. */
function readChange(form: Form, app: AppView) {
  const removed = [form[REMOVED_FIELD]].flat().filter((name) => typeof name === 'string');
  const secrets = new Set(app.env_vars.filter(({ is_secret }) => is_secret).map(({ key }) => key));
  const own = Object.entries(fieldsIn(form.env)).filter(
    ([name, value]) => !removed.includes(name) && !(secrets.has(name) && value === ''),
  );
  const { git } = form;
  const change = fieldsOf(appChangeBody, {
    node_version: form.node_version,
    start_command: form.start_command,
    env: { ...Object.fromEntries(own), ...readVariables(textOf(form, VARIABLES_FIELD)) },
    ...(app.git === null && saysNothing(git) ? {} : { git }),
  });
  return { ...change, removed };
}
