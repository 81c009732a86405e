import {
  type AppControls,
  type AppReleaseView,
  type AppView,
  getApp,
  getAppControls,
  listReleases,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { findRecord, recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts, useTranslate } from '../../language/use-texts.ts';
import { ButtonForm, Confirm, Refusal } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Ago, Card, Empty, Facts, Live, Notice, Status, Table } from '../../ui/parts.tsx';
import { DeployCard } from './deploy-card.tsx';
import { Releases } from './releases.tsx';
import { appTexts } from './texts/index.ts';
import { isUnderWay } from './words.ts';

/** A form of this page that was refused. */
export interface RefusedForm {
  form:
    | 'start'
    | 'stop'
    | 'retry'
    | 'roll-back'
    | 'deploy-zip'
    | 'deploy-git'
    | 'push-on'
    | 'push-off'
    | 'remove';
  state: Refused;
}

/** One app: its state, releases and actions. `secret`: that of its push hook, which was made just now. */
export async function appPage(c: PanelContext, refused?: RefusedForm, secret?: string): Promise<Response> {
  const texts = textsFor(c, appTexts);
  const found = await findRecord(c, () => loadApp(c));
  if (found === undefined) return goToWithNotice(c, '/apps', texts.wasRemoved);
  const { app, controls, releases } = found;
  const refusedAs = (form: RefusedForm['form']) => (refused?.form === form ? refused.state : undefined);
  const parts = { c, app, controls, releases, refusedAs, secret };
  return page(
    c,
    {
      title: texts.titleOf(app.name),
      heading: app.name,
      above: [{ name: texts.apps, path: '/apps' }],
      status: refused?.state.status ?? 200,
    },
    <>
      <Live id="now" busy={isUnderWay(app.status)} path={`/apps/${app.id}`}>
        <div class="half">
          <State {...parts} />
          {controls.installer === 'starter' ? <Releases {...parts} /> : null}
        </div>
      </Live>
      {controls.state === 'removing' ? null : (
        <>
          {controls.installer === 'starter' ? <DeployCard {...parts} /> : null}
          <Environment {...parts} />
          <Removal {...parts} />
        </>
      )}
    </>,
  );
}

interface Found {
  app: AppView;
  controls: AppControls;
  releases: AppReleaseView[];
}

async function loadApp(c: PanelContext): Promise<Found> {
  const ctx = customerContext(c);
  const input = { app_id: recordId(c) };
  const [app, controls, releases] = await Promise.all([
    getApp(ctx, input),
    getAppControls(ctx, input),
    listReleases(ctx, input),
  ]);
  return { app, controls, releases };
}

export interface AppParts extends Found {
  c: PanelContext;
  refusedAs: (form: RefusedForm['form']) => Refused | undefined;
  secret: string | undefined;
}

function State({ c, app, controls, refusedAs }: AppParts) {
  const texts = useTexts(appTexts);
  const { domain, node_version, start_command, deploy_root, created_at } = app;
  return (
    <Card title={texts.state}>
      <Facts
        facts={[
          [texts.status, <Status status={app.status} />],
          [texts.template, app.template_name],
          [
            texts.domain,
            domain === undefined ? (
              texts.notPublic
            ) : (
              <a href={`http://${domain.domain_name}/`} rel="noreferrer">
                {domain.domain_name}
              </a>
            ),
          ],
          ...(node_version === null ? [] : [['Node.js', node_version] as const]),
          ...(start_command === null ? [] : [[texts.startCommand, <code>{start_command}</code>] as const]),
          [texts.folder, <code>{deploy_root}</code>],
          [texts.installed, <Ago at={created_at} />],
        ]}
      />
      <p>{texts.meanings[app.status]}</p>
      <Reason c={c} app={app} controls={controls} />
      <Refusal state={refusedAs('start') ?? refusedAs('stop') ?? refusedAs('retry')} />
      <Running c={c} app={app} controls={controls} />
    </Card>
  );
}

/** Message from the server: a sentence, and the end of the log if there is one. */
function Reason({
  c,
  app: { id, status, status_reason, release },
  controls,
}: Pick<AppParts, 'c' | 'app' | 'controls'>) {
  const texts = useTexts(appTexts);
  const translate = useTranslate();
  if (status_reason === null) return null;
  const [sentence = '', ...log] = status_reason.trimEnd().split('\n');
  return (
    <Notice tone={status === 'failed' ? 'bad' : 'warn'}>
      <p>{translate(sentence)}</p>
      {log.length === 0 ? null : (
        <pre role="log" aria-label={texts.endOfLog} tabindex={0}>
          {log.join('\n')}
        </pre>
      )}
      {status === 'failed' ? (
        <>
          <p>{release?.source === 'zip' ? texts.fixAndUpload : texts.fixAndRetry}</p>
          {release?.source === 'zip' && controls.runtime !== 'nodejs' ? null : (
            <ButtonForm c={c} action={`/apps/${id}/retry`} submit={texts.tryAgain} />
          )}
        </>
      ) : null}
    </Notice>
  );
}

function Running({
  c,
  app: { id, name },
  controls: { runtime, state },
}: Pick<AppParts, 'c' | 'app' | 'controls'>) {
  const texts = useTexts(appTexts);
  if (state === 'removing' || runtime !== 'nodejs') return null;
  return (
    <div class="actions">
      {state === 'stopped' ? (
        <ButtonForm c={c} action={`/apps/${id}/start`} submit={texts.start} label={texts.startThis(name)} />
      ) : (
        <ButtonForm c={c} action={`/apps/${id}/stop`} submit={texts.stop} label={texts.stopThis(name)} />
      )}
      <a class="btn" href={`/apps/${id}/log`}>
        {texts.showLog}
      </a>
    </div>
  );
}

function Environment({ app: { id, env_vars }, controls }: Pick<AppParts, 'app' | 'controls'>) {
  const texts = useTexts(appTexts);
  if (env_vars.length === 0 && controls.runtime !== 'nodejs') return null;
  return (
    <Card
      title={texts.environment}
      actions={
        controls.runtime === 'nodejs' ? (
          <a class="btn btn-small" href={`/apps/${id}/settings`}>
            {texts.changeSettings}
          </a>
        ) : undefined
      }
    >
      {env_vars.length === 0 ? (
        <Empty>{texts.noVariables}</Empty>
      ) : (
        <Table
          caption={texts.variables}
          headings={[texts.name, texts.value]}
          rows={env_vars.map(({ key, value, is_secret }) => [
            <code>{key}</code>,
            is_secret ? <span class="muted">{texts.hidden}</span> : <code>{value}</code>,
          ])}
        />
      )}
    </Card>
  );
}

function Removal({ c, app, controls: { runtime, has_database }, refusedAs }: AppParts) {
  const texts = useTexts(appTexts);
  const refused = refusedAs('remove');
  return (
    <Card title={texts.removeThis}>
      <Confirm
        c={c}
        action={`/apps/${app.id}/remove`}
        ask={texts.remove}
        submit={texts.removeIt}
        open={refused !== undefined}
      >
        <Refusal state={refused} />
        <p>
          {runtime === 'nodejs' ? texts.removeProgram(app.name) : texts.removeFiles(app.name)}
          {has_database ? texts.removesDatabase : ''}
          {texts.noUndo}
          {app.domain === undefined ? '' : texts.domainStays(app.domain.domain_name)}
        </p>
      </Confirm>
    </Card>
  );
}
