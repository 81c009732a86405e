import { nodeLimits } from '@innkeeper/domain';
import { type AccountView, getAccount } from '@innkeeper/services';
import { Command } from 'commander';
import { type AccountObservation, getAccountObservation } from '../../account-observation.ts';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { limitText } from '../../limit-options.ts';
import { renderRecord, renderTable } from '../../output/table.ts';
import { resolveAccount } from '../../resolve-account.ts';
import { withServices } from '../../with-services.ts';

export function accountShowCommand(innctl: Innctl): Command {
  return new Command('show')
    .description('show a hosting account and the last report of its node')
    .argument('<account>', 'username, or id if no username has the same digits')
    .option('--json', 'print the account as JSON')
    .action(async (name: string, options: OutputOptions) => {
      const { account, observation } = await withServices(innctl, async (ctx) => {
        const account_id = await resolveAccount(ctx, name);
        return {
          account: await getAccount(ctx, { account_id, include: new Set() }),
          observation: await getAccountObservation(ctx.db, account_id),
        };
      });
      print(innctl.terminal, options, { ...account, observation }, render(account, observation));
    });
}

function render(account: AccountView, observation: AccountObservation): string {
  const domains = account.domains.map(
    (domain) => domain.domain_name + (domain.is_primary ? ' (primary)' : ''),
  );
  const record = renderRecord([
    ['id', account.id],
    ['username', account.username],
    ['status', account.status],
    ['name', account.name],
    ['email', account.email],
    ['package', `${account.package.name} (id ${account.package.id})`],
    ['node', account.node?.name],
    ['Linux user', account.linux_user],
    ['home', account.home_path],
    ['SSH', account.terminal_access],
    ['domains', domains.join(', ') || null],
    ...nodeLimits.map((limit) => [limitText(limit), account[limit.name]] as const),
    ['created', account.created_at],
    ['synced', account.synced],
    ['generation', observation.generation],
    ['observed generation', observation.observed_generation],
    ['outcome', observation.outcome],
    ['reported', observation.observed_at],
  ]);
  if (observation.conditions.length === 0) return record;
  const conditions = renderTable(
    [
      { title: 'DRIVER', value: (condition) => condition.type },
      { title: 'CONDITION', value: (condition) => condition.reason },
      { title: 'MESSAGE', value: (condition) => condition.message },
    ],
    observation.conditions,
  );
  return `${record}\n\n${conditions}`;
}
