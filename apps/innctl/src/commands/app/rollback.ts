import { DomainError } from '@innkeeper/domain';
import { type AppView, rollbackApp } from '@innkeeper/services';
import { Command } from 'commander';
import { type AppObservation, waitForRelease } from '../../app-observation.ts';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { wholeNumber, wholeNumberBetween } from '../../option-values.ts';
import { APP_ARGUMENT, resolveApp } from '../../resolve-app.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  to?: number;
  wait: number;
}

export function appRollbackCommand(innctl: Innctl): Command {
  return new Command('rollback')
    .description('roll an app back to an earlier release (its node keeps the last three that were live)')
    .argument('<app>', APP_ARGUMENT)
    .option('--to <release>', 'release id (see: innctl app show; default: the previous release)', wholeNumber)
    .option(
      '--wait <seconds>',
      'timeout in seconds for the release to become live',
      wholeNumberBetween(0, 600),
      60,
    )
    .option('--json', 'print the app and the state of its release as JSON')
    .action(async (name: string, { to, wait, ...output }: Options) => {
      const { app, observation } = await withServices(innctl, async (ctx) => {
        const app_id = await resolveApp(ctx, name);
        const { view, generation } = await rollbackApp(ctx, { app_id, release_id: to });
        const timeoutMs = wait * 1_000;
        return { app: view, observation: await waitForRelease(ctx, view, { generation, timeoutMs }) };
      });
      print(innctl.terminal, output, { ...app, ...observation }, sentence(app, observation));
    });
}

/** Throws `precondition_failed` if the node reports a failure. */
function sentence({ id, release }: AppView, { is_serving, is_settled, last_error }: AppObservation): string {
  const wanted = `release ${release?.id}`;
  if (is_serving) return `App ${id} serves ${wanted}.`;
  if (is_settled)
    throw new DomainError(
      'precondition_failed',
      `App ${id} does not serve ${wanted}: ${last_error ?? 'its node gave no reason.'}`,
    );
  return `The rollback of app ${id} to ${wanted} is in progress. Its node has not reported it yet (see: innctl app show ${id}).`;
}
