import { isPrintableLine, phpNumbers } from '@innkeeper/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccountReport, accountReportSchema } from '../account-report.ts';
import { type AccountSpec, accountSpecSchema } from '../account-spec.ts';
import { heartbeatCountsSchema, type NodeFacts, nodeFactsSchema } from '../node-session.ts';
import { nodeSettingsSchema } from '../node-settings.ts';
import { type UsageReport, usageReportSchema } from '../usage-report.ts';
import { decodeAccountReport, encodeAccountReport } from './account-report-codec.ts';
import { decodeAccountSpec, encodeAccountSpec } from './account-spec-codec.ts';
import { decodeHeartbeat, decodeHello, encodeHeartbeat, encodeHello } from './node-session-codec.ts';
import { decodeNodeSettings, encodeNodeSettings } from './node-settings-codec.ts';
import { nodeServiceDefinition } from './service-definition.ts';
import { decodeUsageReport, encodeUsageReport } from './usage-report-codec.ts';

const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const upTo = (max: number) => fc.integer({ min: 1, max });
const text = (maxLength: number) => fc.string({ unit: 'grapheme', maxLength }).filter(isPrintableLine);
const revision = fc.integer({ min: 1, max: 0xffff_ffff });
const rate = fc.option(upTo(1_000_000));
const hash = fc.stringMatching(/^\$6\$(?:rounds=\d{4,6}\$)?[./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{86}$/);

const folder = fc.option(fc.stringMatching(/^[a-z0-9]{1,9}(?:\/[a-z0-9]{1,9})?$/));
const sites = fc.record({
  keeps_http: fc.boolean(),
  redirect: fc.option(
    fc.record({
      url: fc.constantFrom('https://example.org/', 'http://example.org:8080/a/?b=1,2'),
      status: fc.constantFrom(301 as const, 302 as const),
      keeps_path: fc.boolean(),
    }),
  ),
  document_root: folder,
  password: fc.option(fc.record({ folder, user: fc.stringMatching(/^[a-z.@_-]{1,9}$/), hash })),
  php: fc.record({
    memory_limit_mb: fc.option(fc.integer(phpNumbers.memory_limit_mb)),
    upload_mb: fc.option(fc.integer(phpNumbers.upload_mb)),
    execution_s: fc.option(fc.integer(phpNumbers.execution_s)),
    input_vars: fc.option(fc.integer(phpNumbers.input_vars)),
    display_errors: fc.boolean(),
    time_zone: fc.option(fc.constantFrom('UTC', 'America/Argentina/Buenos_Aires')),
    cache_revision: fc.integer({ min: 0, max: 0xffff_ffff }),
  }),
});

const keys = fc.subarray([
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH',
]);

const specs: fc.Arbitrary<AccountSpec> = fc
  .record({
    account_id: id,
    generation: id,
    desired_state: fc.constantFrom('active', 'suspended', 'absent'),
    linux_user: fc.stringMatching(/^[a-z][a-z0-9_-]{2,15}$/),
    uid: fc.integer({ min: 20_000, max: 59_999 }),
    terminal_access: fc.boolean(),
    creation_id: fc.stringMatching(/^(?:[0-9a-f]{32})?$/),
    smtp_port_25: fc.boolean(),
    mail: fc.record({
      per_hour: fc.integer({ min: 0, max: 100_000 }),
      per_day: fc.integer({ min: 0, max: 1_000_000 }),
    }),
    ssh_keys: keys,
    ftp_logins: fc.uniqueArray(
      fc.record({
        name: fc.stringMatching(/^[a-z0-9]{1,14}$/),
        folder: fc.constantFrom('domains', 'a-b/c.d'),
        password_hash: fc.option(hash),
        public_keys: keys,
      }),
      { selector: ({ name }) => name, maxLength: 3 },
    ),
    password_hash: hash,
    limits: fc.record({
      disk_mb: upTo(1_000_000_000),
      bandwidth_mb: upTo(2_000_000_000),
      cpu_percent: upTo(10_000),
      ram_mb: upTo(100_000_000),
      io_read_mbps: rate,
      io_write_mbps: rate,
      iops: fc.option(upTo(100_000_000)),
      max_processes: fc.option(upTo(4_000_000)),
    }),
    domains: fc.uniqueArray(
      fc.record({
        domain_id: id,
        name: fc.stringMatching(/^[a-z0-9]{1,20}\.[a-z]{2,6}$/),
        is_primary: fc.boolean(),
        desired_state: fc.constantFrom('active', 'absent'),
        certificate_revision: revision,
        alias_of: fc.constant(null),
        site: sites,
      }),
      { selector: (domain) => domain.name, maxLength: 5 },
    ),
    databases: fc.uniqueArray(
      fc.record({
        database_id: id,
        db_name: fc.stringMatching(/^[a-z_][a-z0-9_-]{2,31}$/),
        password: fc.stringMatching(/^[A-Za-z0-9]{16,64}$/),
        password_revision: revision,
        allowed_ips: fc.array(fc.ipV4(), { maxLength: 3 }),
        desired_state: fc.constantFrom('active', 'absent'),
      }),
      { selector: (database) => database.db_name, maxLength: 3 },
    ),
    cron_jobs: fc.uniqueArray(
      fc.record({
        cron_job_id: id,
        schedule: fc.constantFrom('@daily', '*/5 0-3 1,15 JAN mon'),
        command: fc.constantFrom('php cron.php', 'echo "50 %" é'),
        enabled: fc.boolean(),
      }),
      { selector: (job) => job.cron_job_id, maxLength: 3 },
    ),
    apps: fc.uniqueArray(
      fc.record({
        app_id: id,
        template_key: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/),
        runtime: fc.constantFrom('php', 'static', 'nodejs'),
        installer: fc.constantFrom('starter', 'wordpress'),
        desired_state: fc.constantFrom('running', 'stopped', 'absent'),
        retries: upTo(65_535),
        domain_id: fc.constant(null),
        database_id: fc.constant(null),
        node_version: fc.constantFrom(null, '22'),
        start_command: fc.constantFrom('', 'node server.js'),
        env: fc.array(
          fc.record({
            name: fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/),
            value: fc.constantFrom('', 'é "quoted" $x'),
            is_secret: fc.boolean(),
          }),
          { maxLength: 3 },
        ),
        release: fc.option(
          fc.record({
            release_id: id,
            source: fc.constantFrom('zip', 'git'),
            archive_sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
            archive_bytes: upTo(4 * 1024 ** 3),
            git_repository: fc.constantFrom('', 'https://git.example.com/a.git'),
            git_branch: fc.constantFrom('', 'main'),
            git_deploy_key: fc.constantFrom('', 'line 1\nline 2\n'),
          }),
        ),
      }),
      { selector: (app) => app.app_id, maxLength: 3 },
    ),
  })
  .map((spec) => ({
    ...spec,
    ftp_logins: spec.ftp_logins.map((login) => ({ ...login, name: `${spec.linux_user}_${login.name}` })),
  }));

const reports: fc.Arbitrary<AccountReport> = fc.record({
  account_id: id,
  observed_generation: id,
  outcome: fc.constantFrom('applied', 'failed', 'progressing', 'absent'),
  conditions: fc.array(
    fc.record({
      type: fc.stringMatching(/^[a-z]{1,32}$/),
      reason: fc.constantFrom('Applied', 'Conflict', 'Refused', 'Failed', 'Retrying'),
      message: text(40),
    }),
    { maxLength: 5 },
  ),
  domains: fc.array(
    fc.record({
      domain_id: id,
      status: fc.constantFrom('active', 'suspended', 'absent', 'failed'),
      reason: text(20),
      certificate: fc.option(
        fc.record(
          {
            status: fc.constantFrom('pending', 'active', 'failed'),
            revision,
            issuer: text(20),
            expires_at: fc.integer({ min: 0, max: 253_402_300_799 }),
            error: text(20),
            next_attempt_at: fc.integer({ min: 1, max: 253_402_300_799 }),
          },
          { requiredKeys: ['status', 'revision', 'issuer', 'expires_at', 'error'] },
        ),
      ),
    }),
    { maxLength: 5 },
  ),
  databases: fc.array(
    fc.record({
      database_id: id,
      status: fc.constantFrom('active', 'suspended', 'absent', 'failed'),
      reason: text(20),
    }),
    { maxLength: 3 },
  ),
  apps: fc.array(
    fc.record(
      {
        app_id: id,
        status: fc.constantFrom('installing', 'building', 'running', 'failed', 'absent'),
        reason: text(20),
        release_id: fc.option(id),
        commit: fc.record({
          release_id: id,
          hash: fc.stringMatching(/^[0-9a-f]{40}$/),
          author: text(20),
          subject: text(20),
        }),
      },
      { requiredKeys: ['app_id', 'status', 'reason', 'release_id'] },
    ),
    { maxLength: 3 },
  ),
  driver_ms: fc.dictionary(
    fc.stringMatching(/^[a-z]{1,32}$/),
    fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
  ),
});

const facts: fc.Arbitrary<NodeFacts> = fc.record({
  agent_version: fc.stringMatching(/^[\w.]{1,20}$/),
  hostname: fc.stringMatching(/^[a-z.]{1,50}$/),
  cpu_count: upTo(1_000),
  memory_bytes: upTo(2 ** 46),
  disk_bytes: upTo(2 ** 52),
  disk_quota: fc.constantFrom('enforced', 'accounting-only'),
  io_limits: fc.boolean(),
  reserved_usernames: fc.array(fc.stringMatching(/^[a-z-]{1,32}$/), { maxLength: 20 }),
  ledger_incomplete: fc.boolean(),
  node_versions: fc.constantFrom([], ['18', '24']),
  php_version: fc.constantFrom(null, '8.2', '10.10'),
  time_zone: fc.constantFrom(null, 'UTC', 'Europe/Berlin'),
  ssh_fingerprint: fc.constantFrom(null, `SHA256:${'a'.repeat(43)}`),
  ftp_fingerprint: fc.constantFrom(null, Array(32).fill('0F').join(':')),
});

const bytes = fc.integer({ min: 0, max: 1e12 });
const figure = fc.integer({ min: 0, max: 1_000_000 });
const traffic = { sent_bytes: bytes, requests: figure, errors: figure };
const usages: fc.Arbitrary<UsageReport> = fc.record({
  interval_start: fc.integer({ min: 0, max: 10_000_000 }).map((interval) => interval * 300),
  part: fc.integer({ min: 0, max: 2_000 }),
  server: fc.option(
    fc.record({
      cpu_busy_ms: figure,
      cpu_total_ms: figure,
      memory_mb: figure,
      memory_total_mb: figure,
      disk_mb: figure,
      disk_total_mb: figure,
      load_percent: figure,
      accounts: figure,
      running_accounts: figure,
      ...traffic,
    }),
  ),
  accounts: fc.array(
    fc.record({
      account_id: id,
      cpu_ms: figure,
      memory_mb: figure,
      disk_mb: fc.option(figure),
      ...traffic,
    }),
    { maxLength: 5 },
  ),
  sites: fc.array(fc.record({ domain_id: id, ...traffic }), { maxLength: 5 }),
  mail: fc.array(
    fc.record({
      account_id: id,
      hour: figure,
      hour_sent: figure,
      hour_refused: figure,
      day: figure,
      day_sent: figure,
      day_refused: figure,
      queued: figure,
    }),
    { maxLength: 3 },
  ),
});

describe('over the wire', () => {
  const { PullAccounts, ReportAccount, ReportUsage, Hello, Heartbeat } = nodeServiceDefinition;

  it('usage is decoded as it was encoded', () => {
    fc.assert(
      fc.property(usages, (sent) => {
        const message = ReportUsage.requestSerialize(encodeUsageReport('session', sent));
        const received = ReportUsage.requestDeserialize(message);
        expect(received.session_id).toBe('session');
        expect(usageReportSchema.parse(decodeUsageReport(received))).toEqual(sent);
      }),
    );
  });

  it('a spec is decoded as it was encoded', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const bytes = PullAccounts.responseSerialize({
          accounts: [encodeAccountSpec(spec)],
          has_more: true,
          settings: null,
        });
        const [message] = PullAccounts.responseDeserialize(bytes).accounts;
        expect(accountSpecSchema.parse(decodeAccountSpec(message!))).toEqual(spec);
      }),
    );
  });

  it('a report is decoded as it was encoded', () => {
    fc.assert(
      fc.property(reports, (report) => {
        const bytes = ReportAccount.requestSerialize(encodeAccountReport('session', report));
        const message = ReportAccount.requestDeserialize(bytes);
        expect(message.session_id).toBe('session');
        expect(accountReportSchema.parse(decodeAccountReport(message))).toEqual(report);
      }),
    );
  });

  it('the facts of a node are decoded as they were encoded', () => {
    fc.assert(
      fc.property(facts, (sent) => {
        const message = Hello.requestDeserialize(Hello.requestSerialize(encodeHello('session', sent)));
        expect(message.session_id).toBe('session');
        expect(nodeFactsSchema.parse(decodeHello(message))).toEqual(sent);
      }),
    );
  });

  it('a heartbeat is decoded as it was encoded', () => {
    const sent = {
      accounts: 10_000,
      accounts_failed: 3,
      warnings: ['FIREWALL_MISSING', 'FOLDER_OPEN'],
      figures: { queue_waiting: 7, load_average_1m: 0.25 },
      settings_generation: 12,
      settings_problem: 'The mail queue does not run.',
    };
    const message = Heartbeat.requestDeserialize(
      Heartbeat.requestSerialize(encodeHeartbeat('session', sent)),
    );
    expect(message.session_id).toBe('session');
    expect(heartbeatCountsSchema.parse(decodeHeartbeat(message))).toEqual(sent);
  });

  it('settings of a node are decoded as they were encoded, and absent ones stay absent', () => {
    const mail_relay = {
      host: 'relay.example.com',
      port: 587,
      encryption: 'starttls' as const,
      sign_in: { username: 'hoster', password: 'pass word:ü' },
      sender_domain: 'mail.example.com',
    };
    for (const relay of [mail_relay, { ...mail_relay, sign_in: null, sender_domain: null }, null]) {
      const sent = { generation: 7, mail_relay: relay };
      const message = PullAccounts.responseDeserialize(
        PullAccounts.responseSerialize({ accounts: [], has_more: false, settings: encodeNodeSettings(sent) }),
      );
      expect(nodeSettingsSchema.parse(decodeNodeSettings(message.settings!))).toEqual(sent);
    }
    const none = PullAccounts.responseSerialize({ accounts: [], has_more: false, settings: null });
    expect(PullAccounts.responseDeserialize(none).settings).toBeNull();
  });

  it.each([
    ['a host with a line end', { host: 'relay.example.com\nx' }],
    ['a username with a colon', { sign_in: { username: 'a:b', password: 'x' } }],
    ['a password with a line end', { sign_in: { username: 'a', password: 'x\ny' } }],
    ['a sender domain that is none', { sender_domain: 'x y' }],
    ['another encryption', { encryption: 'plain' }],
  ])('settings with %s are refused by the schema', (_, wrong) => {
    const mail_relay = {
      host: 'r.example',
      port: 25,
      encryption: 'none',
      sign_in: null,
      sender_domain: null,
    };
    expect(nodeSettingsSchema.safeParse({ generation: 1, mail_relay }).success).toBe(true);
    expect(
      nodeSettingsSchema.safeParse({ generation: 1, mail_relay: { ...mail_relay, ...wrong } }).success,
    ).toBe(false);
  });

  it('an id above 2^53 is refused by the schema, not rounded', () => {
    const [spec] = fc.sample(specs, 1);
    const message = { ...encodeAccountSpec(spec!), account_id: '9007199254740993' };
    const bytes = PullAccounts.responseSerialize({ accounts: [message], has_more: false, settings: null });
    const [decoded] = PullAccounts.responseDeserialize(bytes).accounts;
    expect(accountSpecSchema.safeParse(decodeAccountSpec(decoded!)).error?.issues[0]?.path).toEqual([
      'account_id',
    ]);
  });

  it('a decoded empty message is refused by the schemas', () => {
    const spec = PullAccounts.responseDeserialize(Buffer.from([0x0a, 0x00])).accounts[0];
    expect(accountSpecSchema.safeParse(decodeAccountSpec(spec!)).success).toBe(false);
    const report = ReportAccount.requestDeserialize(Buffer.alloc(0));
    expect(accountReportSchema.safeParse(decodeAccountReport(report)).success).toBe(false);
  });

  it.each([
    ['uid', { uid: 2 ** 32 }],
    ['uid', { uid: -1 }],
    ['account_id', { account_id: 2 ** 53 }],
    ['generation', { generation: 1.5 }],
  ])('a %s that its field cannot hold is refused by the encoder', (field, change) => {
    const [spec] = fc.sample(specs, 1);
    expect(() => encodeAccountSpec({ ...spec!, ...change })).toThrow(field);
  });
});
