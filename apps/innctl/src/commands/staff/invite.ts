import { type StaffRole, staffRoles } from '@innkeeper/domain';
import { readSealingKeys } from '@innkeeper/protocol/keys';
import {
  createSigner,
  type Invitation,
  invitationPath,
  inviteStaff,
  renewInvitation,
  type StaffView,
} from '@innkeeper/services';
import { Command, Option } from 'commander';
import { broadcastRevocations } from '../../broadcast-revocations.ts';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { resolveStaff } from '../../resolve-staff.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  username: string;
  email: string;
  name?: string;
  role: StaffRole;
}

export function staffInviteCommand(innctl: Innctl): Command {
  return new Command('invite')
    .description('add a person, who sets the password with the printed link (shown only once)')
    .requiredOption('--username <name>', '3-16 letters a-z, digits, dashes and underscores')
    .requiredOption('--email <address>', 'email address (unique)')
    .option('--name <text>', 'display name (default: the username)')
    .addOption(new Option('--role <role>', 'rights of the person').choices(staffRoles).makeOptionMandatory())
    .option('--json', 'print the person and the link as JSON')
    .action(async ({ username, email, name, role, ...output }: Options) => {
      const signer = signerOf(innctl);
      const person = { username, email, role, ...(name === undefined ? {} : { name }) };
      const { staff, invitation } = await withServices(innctl, (ctx) =>
        inviteStaff({ ...ctx, signer }, person),
      );
      show(innctl, output, staff, invitation);
    });
}

export function staffLinkCommand(innctl: Innctl): Command {
  return new Command('link')
    .description('make a new link to set a password; the former password and links stop working')
    .argument('<username>', 'person of the staff')
    .option('--json', 'print the person and the link as JSON')
    .action(async (username: string, options: OutputOptions) => {
      const signer = signerOf(innctl);
      const { staff, invitation, token_ids } = await withServices(innctl, async (ctx) =>
        renewInvitation({ ...ctx, signer }, { user_id: await resolveStaff(ctx, username) }),
      );
      await broadcastRevocations(innctl, token_ids);
      show(innctl, options, staff, invitation);
    });
}

/** The API verifies links with the same keys. */
function signerOf(innctl: Innctl) {
  return createSigner(() => readSealingKeys(innctl.config().keysDir()));
}

function show(innctl: Innctl, options: OutputOptions, staff: StaffView, invitation: Invitation): void {
  const link = new URL(invitationPath(invitation), innctl.config().publicUrl()).toString();
  print(innctl.terminal, options, { ...staff, link }, link);
  if (!options.json) innctl.terminal.err(`Send the link to ${staff.username}. It works once, for 48 hours.`);
}
