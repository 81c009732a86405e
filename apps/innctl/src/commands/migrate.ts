import { migrate } from '@innkeeper/db';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../innctl.ts';
import { withServices } from '../with-services.ts';

export function migrateCommand(innctl: Innctl): Command {
  return new Command('migrate')
    .description('migrate the database to the newest schema')
    .option('--json', 'print the migrations that ran as JSON')
    .addHelpText(
      'after',
      '\nThe command can run while the API of this or the previous release runs. Concurrent runs are safe.',
    )
    .action(async (options: OutputOptions) => {
      const migrations = await withServices(innctl, ({ db }) => migrate(db));
      const text =
        migrations.length === 0
          ? 'The schema is up to date.'
          : migrations.map((name) => `ran ${name}`).join('\n');
      print(innctl.terminal, options, { migrations }, text);
    });
}
