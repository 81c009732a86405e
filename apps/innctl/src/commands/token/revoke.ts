import { revokeToken } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { wholeNumber } from '../../option-values.ts';
import { broadcastRevocation } from '../../revocation-broadcast.ts';
import { withServices } from '../../with-services.ts';

export function tokenRevokeCommand(innctl: Innctl): Command {
  return new Command('revoke')
    .description('revoke an API token (the API refuses it at once, or within 5 s without NATS)')
    .argument('<id>', 'id of the token (see: innctl token list)', wholeNumber)
    .option('--json', 'print the token as JSON')
    .action(async (tokenId: number, options: OutputOptions) => {
      const token = await withServices(innctl, (ctx) => revokeToken(ctx, { token_id: tokenId }));
      const obstacle = await broadcastRevocation(innctl.config(), tokenId);
      if (obstacle !== null)
        innctl.terminal.err(
          `API instances are not informed yet (${obstacle}). They refuse the token within 5 s.`,
        );
      print(innctl.terminal, options, token, `Token ${token.id} (${token.name}) was revoked.`);
    });
}
