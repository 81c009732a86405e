import { ConfigError } from '@innkeeper/domain';
import { expect, test } from 'vitest';
import { loadConfig } from './config.ts';

test('an empty environment gives the defaults', () => {
  expect(loadConfig({})).toEqual({
    control: undefined,
    stateDir: '/var/lib/innkeeper/agent',
    statusAddress: '127.0.0.1:9465',
    statusSocket: '/run/innkeeper/agent.sock',
    metricsUser: undefined,
    remoteMetrics: undefined,
    pollIntervalMs: undefined,
    driftIntervalMs: 300_000,
    parallelAccounts: 8,
    phpIdleMs: 300_000,
    npmRegistry: 'https://registry.npmjs.org/',
    nodejsVersions: ['18', '20', '22', '24'],
    buildTimeoutS: 900,
    gitAllowedNetworks: [],
    acmeDirectory: 'https://acme-v02.api.letsencrypt.org/directory',
    acmeCaFile: undefined,
    acmeOrdersOfNameADay: 5,
    publicAddresses: [],
    trafficReadMs: 5_000,
    trafficLogMb: 64,
    wordpress: { from: 'https://wordpress.org/latest.tar.gz', sha256: null },
    logLevel: 'info',
    notifySocket: undefined,
    watchdogMs: undefined,
  });
});

test('set values are used, and an empty value counts as not set', () => {
  const config = loadConfig({
    INNKEEPER_CONTROL: '[2001:db8::1]:8444',
    INNKEEPER_STATE_DIR: '/srv/agent/',
    INNKEEPER_PHP_IDLE_MS: '',
    INNKEEPER_POLL_INTERVAL_MS: '500',
    INNKEEPER_PUBLIC_ADDRESSES: '203.0.113.7, 2001:DB8:0::1',
    WATCHDOG_USEC: '60000000',
  });
  expect(config).toMatchObject({
    control: '[2001:db8::1]:8444',
    stateDir: '/srv/agent',
    pollIntervalMs: 500,
    publicAddresses: ['203.0.113.7', '2001:db8::1'],
    watchdogMs: 60_000,
  });
});

test.each([
  ['INNKEEPER_METRICS_USER', 'no such', 'must be the name of a user'],
  ['INNKEEPER_METRICS_ADDRESS', '192.0.2.1:9465', 'needs INNKEEPER_METRICS_CA_FILE'],
  ['INNKEEPER_NPM_REGISTRY', 'registry.example.com', 'must be the URL of an npm registry'],
  ['INNKEEPER_NPM_REGISTRY', 'https://a:b@registry.example.com', 'must not hold a user or password'],
  ['INNKEEPER_NODE_VERSIONS', '18,20', 'must be major versions'],
  ['INNKEEPER_WORDPRESS_SOURCE', 'http://mirror.example.com/w.tar.gz', 'must be the absolute path'],
  ['INNKEEPER_WORDPRESS_SOURCE', 'https://a:b@mirror.example.com/w.tar.gz', 'must be the absolute path'],
  ['INNKEEPER_WORDPRESS_SHA256', 'abc', 'must be 64 hexadecimal digits'],
  ['INNKEEPER_CONTROL', 'panel.example.com', 'must be HOST:PORT'],
  ['INNKEEPER_CONTROL', 'panel.example.com:70000', 'must have a port'],
  ['INNKEEPER_STATE_DIR', 'var/lib', 'must be an absolute path'],
  ['INNKEEPER_STATUS_ADDRESS', '0.0.0.0:9465', 'must be an address of the loopback'],
  ['INNKEEPER_STATUS_ADDRESS', '127.evil.example.com:9465', 'must be an address of the loopback'],
  ['INNKEEPER_DRIFT_INTERVAL_MS', '5m', 'must be a whole number of milliseconds'],
  ['INNKEEPER_DRIFT_INTERVAL_MS', '0', 'must be from 1000 to 86400000'],
  ['INNKEEPER_PARALLEL_ACCOUNTS', '0', 'must be from 1 to 256'],
  ['INNKEEPER_ACME_DIRECTORY', 'http://acme.example.com/', 'must be an https URL'],
  ['INNKEEPER_ACME_CA_FILE', 'ca.pem', 'must be an absolute path'],
  ['INNKEEPER_PUBLIC_ADDRESSES', '203.0.113.7 host', 'must be up to 64 addresses'],
  ['INNKEEPER_LOG_LEVEL', 'loud', 'Invalid option'],
])('%s=%s is refused by name, with the rule', (name, value, rule) => {
  const load = () => loadConfig({ [name]: value });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(`${name} `);
  expect(load).toThrow(rule);
});

test('one error names every invalid variable', () => {
  const load = () => loadConfig({ INNKEEPER_CONTROL: 'x', INNKEEPER_PHP_IDLE_MS: 'y' });
  expect(load).toThrow(/INNKEEPER_CONTROL .*\nINNKEEPER_PHP_IDLE_MS /);
});
