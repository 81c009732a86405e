import { pruneAudit } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { pointInTime } from '../../option-values.ts';
import { withServices } from '../../with-services.ts';

export function auditPruneCommand(innctl: Innctl): Command {
  return new Command('prune')
    .description('delete old entries of the audit log permanently (no other command deletes them)')
    .requiredOption('--older-than <time>', 'an age such as 400d, at least 30d, or a date', pointInTime)
    .option('--json', 'print the number of deleted entries as JSON')
    .action(async (options: OutputOptions & { olderThan: Date }) => {
      const deleted = await withServices(innctl, (ctx) => pruneAudit(ctx, { before: options.olderThan }));
      print(innctl.terminal, options, { deleted }, `${deleted} rows were deleted.`);
    });
}
