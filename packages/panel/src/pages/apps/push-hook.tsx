import { removePushSecret, renewPushSecret } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { customerContext } from '../../http/session.ts';
import { ButtonForm, Refusal } from '../../ui/form.tsx';
import { Badge, Copyable, Notice, Secret } from '../../ui/parts.tsx';
import { type AppParts, appPage } from './app-page.tsx';

/** The address that a Git host calls after a push, and its secret. The secret is on the page that made it only. */
export function PushHook({ c, app: { id, git }, controls, refusedAs, secret }: AppParts) {
  if (git === null) return null;
  const isOn = controls.has_push_hook;
  return (
    <div class="stack" id="push">
      <h3>
        {'Deploy on push '}
        <Badge tone={isOn ? 'good' : 'plain'}>{isOn ? 'on' : 'off'}</Badge>
      </h3>
      <Refusal state={refusedAs('push-on') ?? refusedAs('push-off')} />
      <p class="muted">
        {`Each push to ${git.branch} is deployed. Add the address as a webhook at GitHub, GitLab, Gitea or Forgejo, for push events, with the secret.`}
      </p>
      {isOn ? (
        <Copyable id="push-url" label="Webhook address" text={`${c.var.deps.publicUrl}/hooks/apps/${id}`} />
      ) : null}
      {secret === undefined ? null : (
        <>
          <Secret id="push-secret" label="Webhook secret" text={secret} />
          <Notice tone="warn">
            Only this page shows the secret. Leave the page when you have copied it.
          </Notice>
        </>
      )}
      <div class="actions">
        <ButtonForm
          c={c}
          action={`/apps/${id}/push-on`}
          submit={isOn ? 'Make a new secret' : 'Turn on deploy on push'}
        />
        {isOn ? <ButtonForm c={c} action={`/apps/${id}/push-off`} submit="Turn off" danger /> : null}
      </div>
    </div>
  );
}

/** Turns the hook on, or renews its secret. */
export async function turnPushOn(c: PanelContext): Promise<Response> {
  const { secret } = await renewPushSecret(customerContext(c), { app_id: recordId(c) });
  return await appPage(c, undefined, secret);
}

export async function turnPushOff(c: PanelContext): Promise<Response> {
  const app_id = recordId(c);
  await removePushSecret(customerContext(c), { app_id });
  return goToWithNotice(c, `/apps/${app_id}`, 'Deploy on push is off.');
}
