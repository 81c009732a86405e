import type { AccountSpec } from '@innkeeper/protocol';
import { OWNERSHIP_HEADER } from '../../node/durable-files.ts';

/**
 * What the mail service reads of an account (deploy/node/usr/lib/innkeeper/submit-mail): lines of a name and a value.
 * Names of domains are ASCII, and the schema of the spec has checked every value, so a value cannot add a line.
 * Undefined: the account may send nothing, and has no file.
 */
export function accountMailSettings(spec: AccountSpec): string | undefined {
  const { per_hour, per_day } = spec.mail;
  if (spec.desired_state === 'absent' || per_hour === 0 || per_day === 0) return undefined;
  const domains = spec.domains.filter(({ desired_state }) => desired_state === 'active');
  return [
    `# ${OWNERSHIP_HEADER}: written by the agent, changes are undone.`,
    `account ${spec.account_id}`,
    `user ${spec.linux_user}`,
    `state ${spec.desired_state}`,
    `per_hour ${per_hour}`,
    `per_day ${per_day}`,
    ...domains.map(({ name }) => `domain ${name}`),
    '',
  ].join('\n');
}
