import { getNode, serverWarningSentence } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { nodeState } from '../../node-state.ts';
import { renderRecord } from '../../output/table.ts';
import { withServices } from '../../with-services.ts';

export function nodeShowCommand(innctl: Innctl): Command {
  return new Command('show')
    .description('show a hosting server')
    .argument('<name>', 'name or id of the node')
    .option('--json', 'print the node as JSON')
    .action(async (name: string, options: OutputOptions) => {
      const node = await withServices(innctl, (ctx) => getNode(ctx, { node: name }));
      const text = renderRecord([
        ['id', node.id],
        ['name', node.name],
        ['address', node.address],
        ['state', nodeState(node)],
        ['enrolled', node.enrolled_at],
        ['last seen', node.last_seen_at],
        ['agent', node.agent_version],
        ['host name', node.hostname],
        ['CPUs', node.capacity.cpu_count],
        ['memory, bytes', node.capacity.memory_bytes],
        ['disk, bytes', node.capacity.disk_bytes],
        ['memory set, MiB', node.allocatable.memory_mb],
        ['disk set, MiB', node.allocatable.disk_mb],
        ['capacity alarm since', node.capacity_jumped_at],
        ['disk quota', node.disk_quota],
        ['IO limits', node.io_limits],
        ['accounts', node.allocated.accounts],
        ['failing accounts', node.accounts_failed],
        ['disk allocated, MiB', node.allocated.disk_mb],
        ['memory allocated, MiB', node.allocated.ram_mb],
      ]);
      const warnings = node.warnings.map((code) => `\n${code}: ${serverWarningSentence(code)}`);
      print(innctl.terminal, options, node, text + warnings.join(''));
    });
}
