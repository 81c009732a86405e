import { expect, test } from 'vitest';
import { firewallTable } from './firewall-table.ts';

const settings = {
  controlPlane: [
    { address: '203.0.113.5', port: 8443 },
    { address: '2001:DB8::5', port: 8444 },
    { address: '203.0.113.5', port: 8443 },
    { address: 'drop; flush ruleset', port: 1 },
  ],
  agentPorts: [9465],
  smtpIsOpen: false,
  firstClientPort: 32_768,
};

test('every rule is for sockets of accounts: nothing else on the server can be locked out', () => {
  const table = firewallTable(settings);
  const output = /chain output \{\n([^}]*\}[^}]*)\}/.exec(table)?.[1] ?? '';
  expect(output.trim().split('\n')).toEqual([
    'type filter hook output priority 0; policy accept;',
    expect.stringMatching(/^ *meta skuid \{ 20000-59999, [0-9, -]+ \} goto accounts$/),
  ]);
  expect(table).not.toContain('hook input');
});

test('the control plane is named once for each address and port; what is no address is left out', () => {
  const table = firewallTable(settings);
  expect(table).toContain('ip daddr . tcp dport { 203.0.113.5 . 8443 } reject');
  expect(table).toContain('ip6 daddr . tcp dport { 2001:db8::5 . 8444 } reject');
  expect(table).not.toContain('flush ruleset');
});

test('port 25 is closed unless it is opened', () => {
  expect(firewallTable(settings)).toContain('tcp dport 25 reject');
  expect(firewallTable({ ...settings, smtpIsOpen: true })).not.toContain('dport 25 ');
});

test('the same settings give the same text, in whatever order addresses were found', () => {
  const controlPlane = settings.controlPlane.toReversed();
  expect(firewallTable({ ...settings, controlPlane })).toBe(firewallTable(settings));
});
