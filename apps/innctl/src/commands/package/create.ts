import { type CreatePackageInput, createPackage } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { collect, type Limit, limit, limitValue, wholeNumber } from '../../option-values.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  name: string;
  slug?: string;
  diskMb: number;
  bandwidthMb: number;
  cpuPercent: number;
  ramMb: number;
  ioReadMbps: Limit;
  ioWriteMbps: Limit;
  iops: Limit;
  maxProcesses: Limit;
  maxDomains: number;
  maxDatabases: number;
  maxApps: number;
  maxCronJobs: number;
  terminalAccess?: true;
  smtpPort25?: true;
  internal?: true;
  owner?: string;
  reseller?: string[];
}

export function packageCreateCommand(innctl: Innctl): Command {
  return new Command('create')
    .description('create a package: the limits that accounts are sold with')
    .requiredOption('--name <text>', 'what customers read')
    .option('--slug <slug>', 'name in URLs (default: made from the name)')
    .requiredOption('--disk-mb <n>', 'disk, MiB', wholeNumber)
    .requiredOption('--bandwidth-mb <n>', 'traffic a month, MiB', wholeNumber)
    .requiredOption('--cpu-percent <n>', 'CPU, percent of one core', wholeNumber)
    .requiredOption('--ram-mb <n>', 'memory, MiB', wholeNumber)
    .option('--io-read-mbps <n>', 'disk reads, MiB/s', limit, 'none')
    .option('--io-write-mbps <n>', 'disk writes, MiB/s', limit, 'none')
    .option('--iops <n>', 'disk operations a second', limit, 'none')
    .option('--max-processes <n>', 'processes', limit, 'none')
    .requiredOption('--max-domains <n>', 'domains', wholeNumber)
    .requiredOption('--max-databases <n>', 'databases', wholeNumber)
    .requiredOption('--max-apps <n>', 'apps', wholeNumber)
    .requiredOption('--max-cron-jobs <n>', 'cron jobs', wholeNumber)
    .option('--terminal-access', 'accounts may log in over SSH')
    .option('--smtp-port-25', 'accounts may send mail to other servers by themselves (port 25)')
    .option('--internal', 'for accounts with limits of their own: sold to nobody')
    .option('--owner <reseller>', 'the reseller whose package it is (default: the admin)')
    .option('--reseller <username>', 'a reseller that may sell it too; repeatable', collect)
    .option('--json', 'print the package as JSON')
    .addHelpText('after', '\nThe limit "none" is no limit.')
    .action(async (options: Options) => {
      const made = await withServices(innctl, (ctx) => createPackage(ctx, inputOf(options)));
      print(
        innctl.terminal,
        options,
        made,
        `Package ${made.name} was created (id ${made.id}, slug ${made.slug}).`,
      );
    });
}

function inputOf(options: Options): CreatePackageInput {
  return {
    name: options.name,
    disk_mb: options.diskMb,
    bandwidth_mb: options.bandwidthMb,
    cpu_percent: options.cpuPercent,
    ram_mb: options.ramMb,
    io_read_mbps: limitValue(options.ioReadMbps),
    io_write_mbps: limitValue(options.ioWriteMbps),
    iops: limitValue(options.iops),
    max_processes: limitValue(options.maxProcesses),
    max_domains: options.maxDomains,
    max_databases: options.maxDatabases,
    max_apps: options.maxApps,
    max_cron_jobs: options.maxCronJobs,
    terminal_access: options.terminalAccess ?? false,
    smtp_port_25: options.smtpPort25 ?? false,
    ...(options.slug === undefined ? {} : { slug: options.slug }),
    ...(options.internal === undefined ? {} : { is_internal: true }),
    ...(options.owner === undefined ? {} : { owner: options.owner }),
    ...(options.reseller === undefined ? {} : { resellers: options.reseller }),
  };
}
