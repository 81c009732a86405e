import { type AccountSpec, plainSite } from '@innkeeper/protocol';
import { encodeAccountSpec, MAX_MESSAGE_BYTES, nodeServiceDefinition } from '@innkeeper/protocol/wire';
import { expect, it } from 'vitest';
import { fittingAccounts } from './pull-accounts.ts';

const longName = `${`${'a'.repeat(60)}.`.repeat(4).slice(0, 249)}.com`;

/** An account with every field at its maximum length. */
function account(domains: number): AccountSpec {
  return {
    account_id: Number.MAX_SAFE_INTEGER,
    generation: Number.MAX_SAFE_INTEGER,
    desired_state: 'suspended',
    linux_user: `_${'u'.repeat(16)}`,
    uid: 2_147_483_000,
    terminal_access: true,
    creation_id: 'c'.repeat(32),
    smtp_port_25: true,
    ftp_logins: [],
    mail: { per_hour: 100_000, per_day: 1_000_000 },
    ssh_keys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH'],
    password_hash: `$6$rounds=999999$${'s'.repeat(16)}$${'h'.repeat(86)}`,
    limits: {
      disk_mb: 1_000_000_000,
      bandwidth_mb: 2_000_000_000,
      cpu_percent: 10_000,
      ram_mb: 100_000_000,
      io_read_mbps: 1_000_000,
      io_write_mbps: 1_000_000,
      iops: 100_000_000,
      max_processes: 4_000_000,
    },
    domains: Array.from({ length: domains }, () => ({
      domain_id: Number.MAX_SAFE_INTEGER,
      name: longName,
      is_primary: true,
      desired_state: 'active',
      certificate_revision: 0xffff_ffff,
      alias_of: null,
      site: plainSite,
    })),
    databases: [],
    cron_jobs: [],
    apps: [],
  };
}

const bytesOf = (accounts: readonly AccountSpec[]) =>
  nodeServiceDefinition.PullAccounts.responseSerialize({
    accounts: accounts.map(encodeAccountSpec),
    has_more: true,
    settings: null,
  }).length;

it('a full page of small accounts goes in one message', () => {
  const page = Array.from({ length: 500 }, () => account(1));
  expect(fittingAccounts(page)).toHaveLength(500);
  expect(bytesOf(page)).toBeLessThan(MAX_MESSAGE_BYTES);
});

it('a page that is too large for a message is cut, and what is left fits', () => {
  const page = Array.from({ length: 500 }, () => account(500));
  const fitting = fittingAccounts(page);
  expect(fitting.length).toBeGreaterThan(1);
  expect(fitting.length).toBeLessThan(500);
  expect(bytesOf(fitting)).toBeLessThan(MAX_MESSAGE_BYTES);
});

it('the largest account fits, and is sent even though nothing else fits beside it', () => {
  const page = [account(10_000), account(10_000)];
  expect(fittingAccounts(page)).toHaveLength(1);
  expect(bytesOf(fittingAccounts(page))).toBeLessThan(MAX_MESSAGE_BYTES);
});
