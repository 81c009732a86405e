import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig, settingNames } from './config.ts';
import { settingWarnings } from './setting-warnings.ts';

const needed = {
  INNKEEPER_DATABASE_URL: 'mysql://innkeeper:s3cret@127.0.0.1:3306/innkeeper',
  INNKEEPER_KEYS_DIR: '/etc/innkeeper/keys',
  INNKEEPER_PUBLIC_HOST: 'panel.example.com',
};
const problemsOf = (env: NodeJS.ProcessEnv) => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
};

describe('the configuration', () => {
  it('it needs three settings and has defaults for the rest', () => {
    expect(loadConfig({ ...needed, INNKEEPER_HTTP_TLS_CERT: '' })).toEqual({
      databaseUrl: needed.INNKEEPER_DATABASE_URL,
      databasePoolSize: 10,
      keysDir: '/etc/innkeeper/keys',
      http: { host: '127.0.0.1', port: 8443 },
      httpTls: undefined,
      isPlainAllowed: false,
      grpc: { host: '0.0.0.0', port: 8444 },
      grpcOwnAddress: null,
      grpcLimits: { agents: 4096, anonymous: 256, anonymousPerAddress: 32, anonymousTimeoutMs: 30_000 },
      metrics: { host: '127.0.0.1', port: 9464 },
      natsUrl: 'tls://127.0.0.1:4222',
      publicHosts: ['panel.example.com'],
      publicUrl: 'http://panel.example.com:8443',
      reservedDomains: [],
      trustedProxies: [],
      rateLimits: { user: 60, health: 60, sso: 30 },
      logLevel: 'info',
      applyTimeoutMs: 10_000,
      templatesDir: undefined,
      gitAllowedNetworks: [],
      smtpPorts: [25, 465, 587, 2525],
      uploads: {
        dir: tmpdir(),
        maxBytes: 512 * 1024 ** 2,
        timeoutMs: 3_600_000,
        atOnce: 16,
        minBytesPerSecond: 65_536,
      },
    });
  });

  it('it reads lists, addresses and numbers', () => {
    const config = loadConfig({
      ...needed,
      INNKEEPER_HTTP_ADDRESS: '[::]:9443',
      INNKEEPER_HTTP_PLAIN: 'yes',
      INNKEEPER_PUBLIC_HOST: 'panel.example.com, 10.77.0.1',
      INNKEEPER_TRUSTED_PROXIES: '10.0.0.0/8, ::1,',
      INNKEEPER_RATE_LIMIT_USER: '600',
      INNKEEPER_RATE_LIMIT_HEALTH: '0',
      INNKEEPER_APPLY_TIMEOUT_MS: '500',
    });
    expect(config).toMatchObject({
      http: { host: '::', port: 9443 },
      publicHosts: ['panel.example.com', '10.77.0.1'],
      trustedProxies: ['10.0.0.0/8', '::1'],
      rateLimits: { user: 600, health: 0, sso: 30 },
      applyTimeoutMs: 500,
    });
  });

  it.each([
    [{}, 'http://panel.example.com:8443'],
    [
      { INNKEEPER_HTTP_TLS_CERT: '/a', INNKEEPER_HTTP_TLS_KEY: '/b', INNKEEPER_HTTP_ADDRESS: '0.0.0.0:443' },
      'https://panel.example.com',
    ],
    [
      { INNKEEPER_PUBLIC_HOST: '2001:db8::1,panel.example.com', INNKEEPER_HTTP_ADDRESS: '[::1]:9443' },
      'http://[2001:db8::1]:9443',
    ],
    [{ INNKEEPER_PUBLIC_URL: 'https://Panel.example.com:443/' }, 'https://panel.example.com'],
    [{ INNKEEPER_PUBLIC_URL: 'http://10.0.0.1:8080' }, 'http://10.0.0.1:8080'],
  ])('with %j browsers reach the panel at %s', (env, url) => {
    expect(loadConfig({ ...needed, ...env }).publicUrl).toBe(url);
  });

  it.each(['0.0.0.0:8443', '192.0.2.1:80', '[::]:8443', '[2001:db8::1]:8443', 'panel.example.com:8443'])(
    'without a certificate does not start on %s, which is not loopback, unless INNKEEPER_HTTP_PLAIN allows it',
    (address) => {
      const env = { ...needed, INNKEEPER_HTTP_ADDRESS: address };
      expect(problemsOf(env)).toEqual([
        'INNKEEPER_HTTP_ADDRESS must be a loopback address while there is no certificate: set INNKEEPER_HTTP_TLS_CERT ' +
          'and INNKEEPER_HTTP_TLS_KEY for HTTPS, or INNKEEPER_HTTP_PLAIN=yes where a proxy in front speaks HTTPS.',
      ]);
      expect(loadConfig({ ...env, INNKEEPER_HTTP_PLAIN: 'yes' }).isPlainAllowed).toBe(true);
      const files = { INNKEEPER_HTTP_TLS_CERT: '/a', INNKEEPER_HTTP_TLS_KEY: '/b' };
      expect(loadConfig({ ...env, ...files, INNKEEPER_HTTP_PLAIN: 'yes' }).isPlainAllowed).toBe(false);
    },
  );

  it.each([
    [{}, '127.0.0.1', false],
    [{ INNKEEPER_HTTP_PLAIN: 'yes' }, '0.0.0.0', true],
    [{ INNKEEPER_HTTP_TLS_CERT: '/a', INNKEEPER_HTTP_TLS_KEY: '/b' }, '0.0.0.0', false],
    [{ INNKEEPER_HTTP_PLAIN: 'yes', INNKEEPER_HTTP_ADDRESS: '[::1]:80' }, '::1', false],
    [{ INNKEEPER_HTTP_ADDRESS: '127.9.9.9:80' }, '127.9.9.9', false],
    [{ INNKEEPER_HTTP_ADDRESS: 'localhost:80' }, 'localhost', false],
  ])('with %j listens on %s, and warns of plain HTTP: %s', (env, host, isPlainAllowed) => {
    const config = loadConfig({ ...needed, ...env });
    expect([config.http.host, config.isPlainAllowed]).toEqual([host, isPlainAllowed]);
    expect(settingWarnings(config).join()).toMatch(
      isPlainAllowed ? /^INNKEEPER_HTTP_PLAIN allows HTTP/ : /^$/,
    );
  });

  it('it names every missing variable', () => {
    expect(problemsOf({})).toEqual([
      'INNKEEPER_DATABASE_URL must be set: mysql://user:password@host:port/database.',
      'INNKEEPER_KEYS_DIR must be set: the folder that "innctl init" made.',
      'INNKEEPER_PUBLIC_HOST must name at least one host under which nodes reach this control plane.',
    ]);
  });

  it.each([
    ['INNKEEPER_HTTP_ADDRESS', '8443', 'must be ADDRESS:PORT'],
    ['INNKEEPER_HTTP_ADDRESS', '0.0.0.0:65536', 'must be ADDRESS:PORT'],
    ['INNKEEPER_HTTP_PLAIN', '1', 'must be yes or no'],
    ['INNKEEPER_TRUSTED_PROXIES', '10.0.0.0/33', '"10.0.0.0/33" is not'],
    ['INNKEEPER_PUBLIC_HOST', 'a b', '"a b" is not'],
    ['INNKEEPER_RESERVED_DOMAINS', 'example.com,*.example.com', '"*.example.com" is not'],
    ['INNKEEPER_PUBLIC_URL', 'panel.example.com', 'must look like https://'],
    ['INNKEEPER_PUBLIC_URL', 'ftp://panel.example.com', 'must look like https://'],
    ['INNKEEPER_PUBLIC_URL', 'https://panel.example.com/panel', 'without a path'],
    ['INNKEEPER_PUBLIC_URL', 'https://user@panel.example.com', 'must look like https://'],
    ['INNKEEPER_PUBLIC_URL', 'https://', 'must look like https://'],
    ['INNKEEPER_PUBLIC_URL', 'https://a:99999', 'must look like https://'],
    ['INNKEEPER_NATS_URL', 'http://x', 'must look like tls://host:port'],
    ['INNKEEPER_RATE_LIMIT_USER', '30001', 'must be from 0 to 30000'],
    ['INNKEEPER_RATE_LIMIT_SSO', '-1', 'must be a whole number'],
    ['INNKEEPER_LOG_LEVEL', 'loud', 'must be one of trace, debug, info'],
    ['INNKEEPER_APPLY_TIMEOUT_MS', '1e3', 'must be a whole number'],
    ['INNKEEPER_APPLY_TIMEOUT_MS', '60001', 'must be from 0 to 60000'],
    ['INNKEEPER_DATABASE_POOL_SIZE', '1', 'must be from 2 to 500'],
    ['INNKEEPER_GRPC_AGENT_CONNECTIONS', '0', 'must be from 16 to 50000'],
    ['INNKEEPER_GRPC_ANONYMOUS_TIMEOUT_MS', '999', 'must be from 1000 to 600000'],
    ['INNKEEPER_HTTP_TLS_CERT', '/x.crt', 'must be set both'],
    ['INNKEEPER_DATABASE_PASSWORD_FILE', '/nowhere', 'must name a file that this user may read: /nowhere'],
  ])('it refuses %s=%s with the rule', (name, value, rule) => {
    const problems = problemsOf({ ...needed, [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(name);
    expect(problems[0]).toContain(rule);
  });

  it('it does not quote a refused database URL', () => {
    expect(problemsOf({ ...needed, INNKEEPER_DATABASE_URL: 'postgres://u:s3cret@h/d' }).join()).not.toContain(
      's3cret',
    );
  });

  it('it reads the password from a file, with any content', () => {
    const dir = mkdtempSync(join(tmpdir(), 'innkeeper-config-'));
    const file = join(dir, 'password');
    writeFileSync(file, 'p@ss/w%20rd#?\n');
    const { databaseUrl } = loadConfig({
      ...needed,
      INNKEEPER_DATABASE_URL: 'mysql://innkeeper@db/innkeeper',
      INNKEEPER_DATABASE_PASSWORD_FILE: file,
    });
    rmSync(dir, { recursive: true });
    expect(decodeURIComponent(new URL(databaseUrl).password)).toBe('p@ss/w%20rd#?');
  });
});

it('the example file has every setting', () => {
  const example = readFileSync(
    join(import.meta.dirname, '../../../deploy/api/etc/innkeeper/api.conf.example'),
    'utf8',
  );
  const listed = [...example.matchAll(/^#?(INNKEEPER_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
  expect(listed.map(([name]) => name).sort()).toEqual([...settingNames].sort());
  const env = Object.fromEntries(listed.filter(([name]) => name !== 'INNKEEPER_DATABASE_PASSWORD_FILE'));
  expect(problemsOf(env)).toEqual([]);
});
