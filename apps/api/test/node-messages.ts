import { generatePrivateKeyPem, makeCsr } from '@innkeeper/protocol/identity';
import { generateNatsUserKey } from '@innkeeper/protocol/nats';
import type { NodeMethod, NodeRequest } from '@innkeeper/protocol/wire';

/** A valid message: only its sender is a reason to refuse it. */
export async function wellFormed(method: NodeMethod, session_id: string): Promise<NodeRequest<NodeMethod>> {
  const keys = {
    csr_pem: await makeCsr(generatePrivateKeyPem()),
    nats_public_key: generateNatsUserKey().publicKey,
  };
  const messages: { [M in NodeMethod]: NodeRequest<M> } = {
    Enroll: { ...keys, join_token: '' },
    RenewCertificate: keys,
    Hello: {
      session_id,
      agent_version: '1',
      hostname: 'a',
      cpu_count: 1,
      memory_bytes: '1',
      disk_bytes: '1',
      disk_quota: 'enforced',
      io_limits: false,
      reserved_usernames: [],
      ledger_incomplete: false,
      node_versions: [],
      php_version: '',
      time_zone: '',
      ssh_fingerprint: '',
      ftp_fingerprint: '',
    },
    Heartbeat: {
      session_id,
      accounts: 0,
      accounts_failed: 0,
      warnings: [],
      figures: {},
      settings_generation: '0',
      settings_problem: '',
    },
    PullAccounts: { session_id, after_account_id: '0', limit: 1, settings_generation: '1' },
    ReportAccount: {
      session_id,
      account_id: '1',
      observed_generation: '1',
      outcome: 'applied',
      conditions: [],
      domains: [],
      databases: [],
      apps: [],
      driver_ms: {},
      next_pass_at: '0',
    },
    ReportUsage: {
      session_id,
      interval_start: '0',
      part: 0,
      server: null,
      accounts: [],
      sites: [],
      mail: [],
    },
  };
  return messages[method];
}
