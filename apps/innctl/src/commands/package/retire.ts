import { retirePackage } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { wholeNumber } from '../../option-values.ts';
import { withServices } from '../../with-services.ts';

export function packageRetireCommand(innctl: Innctl): Command {
  return retireOrOffer(innctl, false);
}

export function packageOfferCommand(innctl: Innctl): Command {
  return retireOrOffer(innctl, true);
}

function retireOrOffer(innctl: Innctl, is_active: boolean): Command {
  return new Command(is_active ? 'offer' : 'retire')
    .description(
      is_active ? 'sell a retired package again' : 'sell a package no longer; accounts that have it keep it',
    )
    .argument('<id>', 'id of the package (see: innctl package list)', wholeNumber)
    .option('--json', 'print the package as JSON')
    .action(async (package_id: number, output: OutputOptions) => {
      const one = await withServices(innctl, (ctx) => retirePackage(ctx, { package_id, is_active }));
      const sentence = is_active ? `Package ${one.name} is for sale.` : `Package ${one.name} is retired.`;
      print(innctl.terminal, output, one, sentence);
    });
}
