import { listTokens, type TokenView } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { renderTable } from '../../output/table.ts';
import { withServices } from '../../with-services.ts';

export function tokenListCommand(innctl: Innctl): Command {
  return new Command('list')
    .description('list all API tokens, including revoked ones')
    .option('--json', 'print the tokens as JSON')
    .action(async (options: OutputOptions) => {
      const tokens = await withServices(innctl, listTokens);
      const table = renderTable(
        [
          { title: 'ID', value: (token) => token.id },
          { title: 'USER', value: (token) => token.user.username },
          { title: 'NAME', value: (token) => token.name },
          { title: 'PRESET', value: (token) => token.preset },
          { title: 'ALLOWED IPS', value: (token) => token.allowed_ips.join(',') || 'any' },
          { title: 'LAST USED', value: (token) => token.last_used_at },
          { title: 'EXPIRES', value: (token) => token.expires_at ?? 'never' },
          { title: 'STATE', value: stateOf },
        ],
        tokens,
      );
      print(innctl.terminal, options, tokens, table);
    });
}

function stateOf({ revoked_at, expires_at }: TokenView): string {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at <= new Date() ? 'expired' : 'active';
}
