import { APP_LOG_MAX_LINES, readAppLog } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { wholeNumberBetween } from '../../option-values.ts';
import { APP_ARGUMENT, resolveApp } from '../../resolve-app.ts';
import { withNats } from '../../with-nats.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  lines: number;
}

export function appLogCommand(innctl: Innctl): Command {
  return new Command('log')
    .description('show the newest output of the program of an app (asks its node over NATS)')
    .argument('<app>', APP_ARGUMENT)
    .option(
      '--lines <n>',
      `number of lines, up to ${APP_LOG_MAX_LINES}`,
      wholeNumberBetween(1, APP_LOG_MAX_LINES),
      100,
    )
    .option('--json', 'print the lines as JSON')
    .action(async (app: string, { lines: wanted, ...output }: Options) => {
      const lines = await withNats(innctl.config(), ({ askNode }) =>
        withServices(innctl, async (ctx) => {
          const app_id = await resolveApp(ctx, app);
          return await readAppLog({ ...ctx, askNode }, { app_id, lines: wanted });
        }),
      );
      if (lines.length === 0) innctl.terminal.err('The program of this app has no output yet.');
      if (lines.length > 0 || output.json) print(innctl.terminal, output, { lines }, lines.join('\n'));
    });
}
