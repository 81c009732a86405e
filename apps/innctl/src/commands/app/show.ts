import { type AppReleaseView, type AppView, getApp, listReleases } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { renderRecord, renderTable } from '../../output/table.ts';
import { APP_ARGUMENT, resolveApp } from '../../resolve-app.ts';
import { withServices } from '../../with-services.ts';

export function appShowCommand(innctl: Innctl): Command {
  return new Command('show')
    .description('show an app and its releases, newest first')
    .argument('<app>', APP_ARGUMENT)
    .option('--json', 'print the app and its releases as JSON')
    .action(async (name: string, options: OutputOptions) => {
      const [app, releases] = await withServices(innctl, async (ctx) => {
        const app_id = await resolveApp(ctx, name);
        return await Promise.all([getApp(ctx, { app_id }), listReleases(ctx, { app_id })]);
      });
      print(innctl.terminal, options, { ...app, releases }, render(app, releases));
    });
}

function render(app: AppView, releases: readonly AppReleaseView[]): string {
  const record = renderRecord([
    ['id', app.id],
    ['name', app.name],
    ['account', app.hosting_account_id],
    ['template', app.template_key],
    ['status', app.status],
    ['domain', app.domain?.domain_name],
    ['folder', app.deploy_root],
    ['Node.js', app.node_version],
    ['start command', app.start_command],
    ['repository', app.git?.repository],
    ['branch', app.git?.branch],
    ['variables', app.env_vars.map(({ key }) => key).join(', ') || null],
    ['created', app.created_at],
  ]);
  const parts = [record];
  if (releases.length > 0)
    parts.push(
      renderTable(
        [
          { title: 'RELEASE', value: (release) => release.id },
          { title: 'SOURCE', value: (release) => release.source },
          { title: 'STATE', value: stateOf },
          { title: 'ROLLBACK', value: (release) => release.is_kept && !release.is_wanted },
          { title: 'DEPLOYED', value: (release) => release.created_at },
        ],
        releases,
      ),
    );
  // A log has several lines. None of them must move the cursor.
  if (app.last_error !== null) parts.push(app.last_error.replace(/[^\P{Cc}\n]/gu, '?'));
  return parts.join('\n\n');
}

function stateOf({ state, is_serving, is_wanted }: AppReleaseView): string {
  if (is_serving) return is_wanted ? 'serving' : 'serving, no longer wanted';
  return state === 'served' && is_wanted ? 'wanted' : state;
}
