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
import { ButtonForm, Confirm, Refusal } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Ago, Card, Empty, Facts, Live, Notice, Status, Table } from '../../ui/parts.tsx';
import { DeployCard } from './deploy-card.tsx';
import { Releases } from './releases.tsx';
import { isUnderWay, meanings } from './words.ts';

/** A form of this page that was refused. */
export interface RefusedForm {
  form: 'start' | 'stop' | 'roll-back' | 'deploy-zip' | 'deploy-git' | 'push-on' | 'push-off' | 'remove';
  state: Refused;
}

/** One app: its state, releases and actions. `secret`: that of its push hook, which was made just now. */
export async function appPage(c: PanelContext, refused?: RefusedForm, secret?: string): Promise<Response> {
  const found = await findRecord(c, () => loadApp(c));
  if (found === undefined) return goToWithNotice(c, '/apps', 'The app was removed.');
  const { app, controls, releases } = found;
  const refusedAs = (form: RefusedForm['form']) => (refused?.form === form ? refused.state : undefined);
  const parts = { c, app, controls, releases, refusedAs, secret };
  return page(
    c,
    {
      title: `App ${app.name}`,
      heading: app.name,
      above: [{ name: 'Apps', path: '/apps' }],
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
  const { domain, node_version, start_command, deploy_root, created_at } = app;
  return (
    <Card title="State">
      <Facts
        facts={[
          ['Status', <Status status={app.status} />],
          ['Template', app.template_name],
          [
            'Domain',
            domain === undefined ? (
              'none (not public)'
            ) : (
              <a href={`http://${domain.domain_name}/`} rel="noreferrer">
                {domain.domain_name}
              </a>
            ),
          ],
          ...(node_version === null ? [] : [['Node.js', node_version] as const]),
          ...(start_command === null ? [] : [['Start command', <code>{start_command}</code>] as const]),
          ['Folder', <code>{deploy_root}</code>],
          ['Installed', <Ago at={created_at} />],
        ]}
      />
      <p>{meanings[app.status]}</p>
      <Reason app={app} controls={controls} />
      <Refusal state={refusedAs('start') ?? refusedAs('stop')} />
      <Running c={c} app={app} controls={controls} />
    </Card>
  );
}

/** Message from the server: a sentence, and the end of the log if there is one. */
function Reason({ app: { status, status_reason }, controls }: Pick<AppParts, 'app' | 'controls'>) {
  if (status_reason === null) return null;
  const [sentence = '', ...log] = status_reason.trimEnd().split('\n');
  return (
    <Notice tone={status === 'failed' ? 'bad' : 'warn'}>
      <p>{sentence}</p>
      {log.length === 0 ? null : (
        <pre role="log" aria-label="End of the log" tabindex={0}>
          {log.join('\n')}
        </pre>
      )}
      {status === 'failed' ? (
        <p>
          {controls.runtime === 'nodejs'
            ? 'Fix the problem above, then deploy again. If there is nothing to fix, stop the app and start it again.'
            : 'Fix the problem above, then deploy again. If you cannot fix it, send this message to your provider.'}
        </p>
      ) : null}
    </Notice>
  );
}

function Running({
  c,
  app: { id, name },
  controls: { runtime, state },
}: Pick<AppParts, 'c' | 'app' | 'controls'>) {
  if (state === 'removing') return null;
  if (runtime !== 'nodejs')
    return (
      <p class="muted">
        This app has no program to start or stop: the server delivers its files on each request.
      </p>
    );
  return (
    <div class="actions">
      {state === 'stopped' ? (
        <ButtonForm c={c} action={`/apps/${id}/start`} submit="Start" label={`Start ${name}`} />
      ) : (
        <ButtonForm c={c} action={`/apps/${id}/stop`} submit="Stop" label={`Stop ${name}`} />
      )}
      <a class="btn" href={`/apps/${id}/log`}>
        Show the log
      </a>
    </div>
  );
}

function Environment({ app: { id, env_vars }, controls }: Pick<AppParts, 'app' | 'controls'>) {
  return (
    <Card
      title="Environment"
      actions={
        controls.runtime === 'nodejs' ? (
          <a class="btn btn-small" href={`/apps/${id}/settings`}>
            Change settings
          </a>
        ) : undefined
      }
    >
      {env_vars.length === 0 ? (
        <Empty>The app has no environment variables.</Empty>
      ) : (
        <Table
          caption="Environment variables"
          headings={['Name', 'Value']}
          rows={env_vars.map(({ key, value, is_secret }) => [
            <code>{key}</code>,
            is_secret ? <span class="muted">hidden (secret)</span> : <code>{value}</code>,
          ])}
        />
      )}
    </Card>
  );
}

function Removal({ c, app, controls: { runtime, has_database }, refusedAs }: AppParts) {
  const refused = refusedAs('remove');
  return (
    <Card title="Remove this app">
      <Confirm
        c={c}
        action={`/apps/${app.id}/remove`}
        ask="Remove the app"
        submit="Remove it"
        open={refused !== undefined}
      >
        <Refusal state={refused} />
        <p>
          {runtime === 'nodejs'
            ? `The server stops the program of ${app.name} and deletes its folder with all releases.`
            : `The server removes ${app.name} from its site and deletes its deployed files.`}
          {has_database ? ' It also deletes the database of the app with all its data.' : ''}
          {' You cannot undo this.'}
          {app.domain === undefined ? '' : ` The domain ${app.domain.domain_name} stays.`}
        </p>
      </Confirm>
    </Card>
  );
}
