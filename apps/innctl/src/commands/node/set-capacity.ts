import { setNodeCapacity } from '@innkeeper/services';
import { Command } from 'commander';
import { UsageError } from '../../exit-code.ts';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  memoryMib?: string;
  diskMib?: string;
}

export function nodeSetCapacityCommand(innctl: Innctl): Command {
  return new Command('set-capacity')
    .description('set the memory and disk of a hosting server that placement counts with at most')
    .argument('<name>', 'name or id of the node')
    .option('--memory-mib <N>', 'memory in MiB, or "none" for what the node says')
    .option('--disk-mib <N>', 'disk in MiB, or "none" for what the node says')
    .option('--json', 'print the node as JSON')
    .addHelpText(
      'after',
      `
New accounts go to the server with the largest part left. The smaller of what is set and what the node says counts.`,
    )
    .action(async (name: string, { memoryMib, diskMib, ...output }: Options) => {
      if (memoryMib === undefined && diskMib === undefined)
        throw new UsageError('Give --memory-mib, --disk-mib or both.');
      const node = await withServices(innctl, (ctx) =>
        setNodeCapacity(ctx, {
          node: name,
          ...(memoryMib === undefined ? {} : { memory_mb: amount('--memory-mib', memoryMib) }),
          ...(diskMib === undefined ? {} : { disk_mb: amount('--disk-mib', diskMib) }),
        }),
      );
      print(innctl.terminal, output, node, `The capacity of node ${node.name} was set.`);
    });
}

function amount(option: string, text: string): number | null {
  if (text === 'none') return null;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${option} must be a whole number of MiB, or "none".`);
  return Number(text);
}
