import type { AccountSpec } from '@innkeeper/protocol';
import { conflict } from '../../node/host-error.ts';
import { observeClaim, ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';
import { cronTable } from './cron-table.ts';
import type { CronCommand, CronState } from './host.ts';

interface CronObserved {
  readonly cron: CronState;
  readonly uidIsForeign: boolean;
}

type CronChange = Change &
  (
    | { readonly kind: 'write-table' | 'remove-table' | 'remove-folder' }
    | { readonly kind: 'write-command' | 'remove-command'; readonly jobId: number }
  );

/**
 * The account's cron jobs. A command file is created before the line that runs it, and removed after it. A suspended
 * account has no lines.
 */
export const cronDriver: Driver<CronObserved, CronChange> = {
  name: 'cron',
  buildsOn: ['user', 'home', 'slice', 'processes', 'login'],

  async observe(spec, host) {
    const [cron, { uidIsForeign }] = await Promise.all([
      host.cron.observe(ownerOf(spec)),
      observeClaim(spec, host),
    ]);
    return { cron, uidIsForeign };
  },

  plan(spec, { cron, uidIsForeign }) {
    if (spec.desired_state !== 'active' && uidIsForeign) return [];
    const text = cronTable(spec);
    const wanted = spec.desired_state === 'absent' ? [] : spec.cron_jobs.map(commandOf);
    return [
      ...missingCommands(cron, wanted),
      ...tableChanges(cron, text),
      ...staleCommands(cron, wanted),
      ...(wanted.length === 0 && cron.folder
        ? [{ kind: 'remove-folder', summary: 'remove the folder of cron commands' } as const]
        : []),
    ];
  },

  async apply(change, spec, host) {
    const owner = ownerOf(spec);
    switch (change.kind) {
      case 'write-command': {
        const command = spec.cron_jobs.map(commandOf).find(({ jobId }) => jobId === change.jobId);
        return command === undefined ? undefined : host.cron.writeCommand(owner, command);
      }
      case 'remove-command':
        return host.cron.removeCommand(owner, change.jobId);
      case 'write-table':
        return host.cron.writeTable(owner, cronTable(spec) ?? '');
      case 'remove-table':
        return host.cron.removeTable(owner);
      case 'remove-folder':
        return host.cron.removeFolder(owner);
    }
  },
};

function commandOf({ cron_job_id, command }: AccountSpec['cron_jobs'][number]): CronCommand {
  return { jobId: cron_job_id, command };
}

function missingCommands(cron: CronState, wanted: readonly CronCommand[]): CronChange[] {
  return wanted
    .filter(({ jobId, command }) => !cron.commands.some((it) => it.jobId === jobId && it.command === command))
    .map(({ jobId }) => ({
      kind: 'write-command',
      jobId,
      summary: `write the command of cron job ${jobId}`,
    }));
}

function staleCommands(cron: CronState, wanted: readonly CronCommand[]): CronChange[] {
  return cron.commands
    .filter(({ jobId }) => !wanted.some((it) => it.jobId === jobId))
    .map(({ jobId }) => ({
      kind: 'remove-command',
      jobId,
      summary: `remove the command of cron job ${jobId}`,
    }));
}

function tableChanges({ table }: CronState, text: string | undefined): CronChange[] {
  if (text === undefined)
    return table === undefined || table.foreign
      ? []
      : [{ kind: 'remove-table', summary: 'take the cron jobs away' }];
  if (table?.foreign === true)
    throw conflict('/etc/cron.d has a file of this name that Innkeeper did not create.');
  return table?.text === text && table.accessRight
    ? []
    : [{ kind: 'write-table', summary: 'write the table of cron jobs' }];
}
