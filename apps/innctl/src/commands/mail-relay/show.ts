import { getMailRelay, listNodes, type MailRelayView, type NodeView } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { renderTable } from '../../output/table.ts';
import { withServices } from '../../with-services.ts';

export function mailRelayShowCommand(innctl: Innctl): Command {
  return new Command('show')
    .description('show the mail relay of hosting accounts, and how it is on each server')
    .option('--json', 'print everything as JSON')
    .action(async (options: OutputOptions) => {
      const shown = await withServices(innctl, async (ctx) => {
        const [{ relay, own_relays }, nodes] = await Promise.all([getMailRelay(ctx, {}), listNodes(ctx)]);
        const own = new Map<number, MailRelayView | null>();
        for (const id of own_relays) own.set(id, (await getMailRelay(ctx, { node: id })).relay);
        return {
          relay,
          servers: nodes.map((node) => ({
            node: node.name,
            relay: own.get(node.id) ?? relay,
            is_own: own.has(node.id),
            state: stateOf(node),
            queued: node.mail?.queued ?? null,
          })),
        };
      });
      const table = renderTable(
        [
          { title: 'NODE', value: (row) => row.node },
          { title: 'RELAY', value: (row) => (row.relay === null ? 'none' : describe(row.relay)) },
          { title: 'OWN', value: (row) => row.is_own },
          { title: 'QUEUE', value: (row) => row.queued ?? '-' },
          { title: 'STATE', value: (row) => row.state },
        ],
        shown.servers,
      );
      const ofAll = shown.relay === null ? 'none: accounts send no mail' : describe(shown.relay);
      print(innctl.terminal, options, shown, `Relay of the installation: ${ofAll}\n${table}`);
    });
}

function describe({ host, port, encryption, username }: MailRelayView): string {
  return `${host}:${port} (${encryption}${username === null ? '' : `, as ${username}`})`;
}

function stateOf({ online, settings }: NodeView): string {
  if (!online) return 'offline';
  if (!settings.is_newest) return 'being applied';
  return settings.problem === '' ? 'applied' : settings.problem;
}
