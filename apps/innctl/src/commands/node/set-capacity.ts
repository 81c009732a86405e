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
    .description('set the maximum memory and disk that placement uses for a hosting server')
    .argument('<name>', 'name or id of the node')
    .option('--memory-mib <N>', 'memory in MiB, or "none" for the reported value')
    .option('--disk-mib <N>', 'disk in MiB, or "none" for the reported value')
    .option('--json', 'print the node as JSON')
    .addHelpText(
      'after',
      `
New accounts go to the server with the largest free share. Placement uses the smaller of the set and the reported value.`,
    )
    .action(async (name: string, { memoryMib, diskMib, ...output }: Options) => {
      if (memoryMib === undefined && diskMib === undefined)
        throw new UsageError('Use --memory-mib, --disk-mib or both.');
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
