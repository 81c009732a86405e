import { type Command, InvalidArgumentError } from 'commander';

export interface ManagerOptions {
  to?: string;
  toSelf?: true;
  assignPackages?: true;
}

/** The options that name the new manager of accounts. */
export function withManagerOptions(command: Command): Command {
  return command
    .option('--to <username>', 'the reseller that gets them')
    .option('--to-self', 'no reseller: you manage them yourself')
    .option('--assign-packages', 'the reseller may sell their packages from then on');
}

/** Throws unless exactly one manager is named. */
export function managerOf({ to, toSelf, assignPackages }: ManagerOptions): {
  to: string | null;
  assign_packages: boolean;
} {
  if ((to === undefined) === (toSelf === undefined))
    throw new InvalidArgumentError('Name the new manager: either --to <username> or --to-self.');
  return { to: to ?? null, assign_packages: assignPackages === true };
}
