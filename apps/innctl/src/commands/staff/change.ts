import { type StaffRole, staffRoles } from '@innkeeper/domain';
import {
  disableStaff,
  enableStaff,
  type OperatorContext,
  removeStaff,
  type StaffChanged,
  setStaffRole,
} from '@innkeeper/services';
import { Argument, Command } from 'commander';
import { broadcastRevocations } from '../../broadcast-revocations.ts';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { resolveStaff } from '../../resolve-staff.ts';
import { withServices } from '../../with-services.ts';

export function staffSetRoleCommand(innctl: Innctl): Command {
  return new Command('set-role')
    .description('change what a person may do, and sign the person out')
    .argument('<username>', 'person of the staff')
    .addArgument(new Argument('<role>', 'rights of the person').choices(staffRoles))
    .option('--json', 'print the person as JSON')
    .action(async (username: string, role: StaffRole, options: OutputOptions) => {
      await change(innctl, options, username, {
        run: (ctx, user_id) => setStaffRole(ctx, { user_id, role }),
        sentence: `${username} has the role ${role} now.`,
      });
    });
}

export function staffDisableCommand(innctl: Innctl): Command {
  return new Command('disable')
    .description('stop the sign-in and the tokens of a person')
    .argument('<username>', 'person of the staff')
    .option('--json', 'print the person as JSON')
    .action(async (username: string, options: OutputOptions) => {
      await change(innctl, options, username, {
        run: (ctx, user_id) => disableStaff(ctx, { user_id }),
        sentence: `${username} cannot sign in any more.`,
      });
    });
}

export function staffEnableCommand(innctl: Innctl): Command {
  return new Command('enable')
    .description('let a disabled person sign in again')
    .argument('<username>', 'person of the staff')
    .option('--json', 'print the person as JSON')
    .action(async (username: string, options: OutputOptions) => {
      await change(innctl, options, username, {
        run: (ctx, user_id) => enableStaff(ctx, { user_id }),
        sentence: `${username} can sign in again.`,
      });
    });
}

export function staffRemoveCommand(innctl: Innctl): Command {
  return new Command('remove')
    .description('remove a person; the audit log keeps the name')
    .argument('<username>', 'person of the staff')
    .option('--json', 'print the person as JSON')
    .action(async (username: string, options: OutputOptions) => {
      await change(innctl, options, username, {
        run: (ctx, user_id) => removeStaff(ctx, { user_id }),
        sentence: `${username} was removed.`,
      });
    });
}

interface Change {
  run: (ctx: OperatorContext, userId: number) => Promise<StaffChanged>;
  sentence: string;
}

async function change(
  innctl: Innctl,
  options: OutputOptions,
  username: string,
  { run, sentence }: Change,
): Promise<void> {
  const { staff, token_ids } = await withServices(innctl, async (ctx) =>
    run(ctx, await resolveStaff(ctx, username)),
  );
  await broadcastRevocations(innctl, token_ids);
  print(innctl.terminal, options, staff, sentence);
}
