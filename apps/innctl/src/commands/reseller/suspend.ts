import { type ResellerSuspended, suspendReseller, unsuspendReseller } from '@innkeeper/services';
import { Command } from 'commander';
import { broadcastRevocations } from '../../broadcast-revocations.ts';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { withServices } from '../../with-services.ts';

export function resellerSuspendCommand(innctl: Innctl): Command {
  return new Command('suspend')
    .description('suspend a reseller with its accounts')
    .argument('<reseller>', 'username of the reseller')
    .option('--json', 'print the result as JSON')
    .action(async (reseller: string, options: OutputOptions) => {
      const done = await withServices(innctl, (ctx) => suspendReseller(ctx, { reseller }));
      await tell(innctl, options, done, `Reseller ${reseller} is suspended.`);
    });
}

export function resellerUnsuspendCommand(innctl: Innctl): Command {
  return new Command('unsuspend')
    .description('end the suspension of a reseller and of the accounts that were suspended with it')
    .argument('<reseller>', 'username of the reseller')
    .option('--json', 'print the result as JSON')
    .action(async (reseller: string, options: OutputOptions) => {
      const done = await withServices(innctl, (ctx) => unsuspendReseller(ctx, { reseller }));
      await tell(innctl, options, done, `Reseller ${reseller} can sign in again.`);
    });
}

async function tell(
  innctl: Innctl,
  options: OutputOptions,
  done: ResellerSuspended,
  sentence: string,
): Promise<void> {
  await broadcastRevocations(innctl, done.token_ids);
  const { bulk_change_id } = done;
  const follows =
    bulk_change_id === null ? '' : ` Its accounts follow in the background: change ${bulk_change_id}.`;
  print(innctl.terminal, options, done, `${sentence}${follows}`);
}
