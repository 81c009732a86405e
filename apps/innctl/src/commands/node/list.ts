import { listNodes } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { nodeState } from '../../node-state.ts';
import { renderTable } from '../../output/table.ts';
import { withServices } from '../../with-services.ts';

const MIB = 1024 * 1024;

export function nodeListCommand(innctl: Innctl): Command {
  return new Command('list')
    .description('list hosting servers with their capacity and allocation')
    .option('--json', 'print the nodes as JSON')
    .action(async (options: OutputOptions) => {
      const nodes = await withServices(innctl, listNodes);
      const table = renderTable(
        [
          { title: 'ID', value: (node) => node.id },
          { title: 'NAME', value: (node) => node.name },
          { title: 'ADDRESS', value: (node) => node.address },
          { title: 'STATE', value: nodeState },
          { title: 'ACCOUNTS', value: (node) => node.allocated.accounts },
          { title: 'FAILING', value: (node) => node.accounts_failed },
          { title: 'DISK MiB', value: (node) => mebibytes(node.counted.disk_bytes) },
          { title: 'DISK ALLOCATED', value: (node) => node.allocated.disk_mb },
          { title: 'RAM MiB', value: (node) => mebibytes(node.counted.memory_bytes) },
          { title: 'RAM ALLOCATED', value: (node) => node.allocated.ram_mb },
          { title: 'DISK QUOTA', value: (node) => node.disk_quota },
          { title: 'AGENT', value: (node) => node.agent_version },
        ],
        nodes,
      );
      print(innctl.terminal, options, nodes, table);
    });
}

function mebibytes(bytes: number | null): number | null {
  return bytes === null ? null : Math.floor(bytes / MIB);
}
