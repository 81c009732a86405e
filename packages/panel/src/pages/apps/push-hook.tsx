import { removePushSecret, renewPushSecret } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import { ButtonForm, Refusal } from '../../ui/form.tsx';
import { Badge, Copyable, Notice, Secret } from '../../ui/parts.tsx';
import { type AppParts, appPage } from './app-page.tsx';
import { appTexts } from './texts/index.ts';

/** The address that a Git host calls after a push, and its secret. The secret is on the page that made it only. */
export function PushHook({ c, app: { id, git }, controls, refusedAs, secret }: AppParts) {
  const texts = useTexts(appTexts);
  if (git === null) return null;
  const isOn = controls.has_push_hook;
  return (
    <div class="stack" id="push">
      <h3>
        {texts.deployOnPush}
        <Badge tone={isOn ? 'good' : 'plain'}>{isOn ? texts.on : texts.off}</Badge>
      </h3>
      <Refusal state={refusedAs('push-on') ?? refusedAs('push-off')} />
      <p class="muted">{texts.eachPush(git.branch)}</p>
      {isOn ? (
        <Copyable
          id="push-url"
          label={texts.webhookAddress}
          text={`${c.var.deps.publicUrl}/hooks/apps/${id}`}
        />
      ) : null}
      {secret === undefined ? null : (
        <>
          <Secret id="push-secret" label={texts.webhookSecret} text={secret} />
          <Notice tone="warn">{texts.secretShownOnce}</Notice>
        </>
      )}
      <div class="actions">
        <ButtonForm c={c} action={`/apps/${id}/push-on`} submit={isOn ? texts.newSecret : texts.turnOnPush} />
        {isOn ? <ButtonForm c={c} action={`/apps/${id}/push-off`} submit={texts.turnOff} danger /> : null}
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
  const texts = textsFor(c, appTexts);
  const app_id = recordId(c);
  await removePushSecret(customerContext(c), { app_id });
  return goToWithNotice(c, `/apps/${app_id}`, texts.pushIsOff);
}
