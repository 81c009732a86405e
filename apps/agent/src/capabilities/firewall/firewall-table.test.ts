import { expect, test } from 'vitest';
import { firewallTable, uidsWithSmtp } from './firewall-table.ts';

const settings = {
  controlPlane: [
    { address: '203.0.113.5', port: 8443 },
    { address: '2001:DB8::5', port: 8444 },
    { address: '203.0.113.5', port: 8443 },
    { address: 'drop; flush ruleset', port: 1 },
  ],
  agentPorts: [9465],
  firstClientPort: 32_768,
};

test('every rule applies to sockets of accounts only', () => {
  const table = firewallTable(settings, []);
  const output = /chain output \{\n([^}]*\}[^}]*)\}/.exec(table)?.[1] ?? '';
  expect(output.trim().split('\n')).toEqual([
    'type filter hook output priority 0; policy accept;',
    expect.stringMatching(/^ *meta skuid \{ 20000-59999, [0-9, -]+ \} goto accounts$/),
  ]);
  expect(table).not.toContain('hook input');
});

test('lists the control plane once per address and port; leaves out invalid addresses', () => {
  const table = firewallTable(settings, []);
  expect(table).toContain('ip daddr . tcp dport { 203.0.113.5 . 8443 } reject');
  expect(table).toContain('ip6 daddr . tcp dport { 2001:db8::5 . 8444 } reject');
  expect(table).not.toContain('flush ruleset');
});

test('port 25 is open for the named accounts only', () => {
  const rule = 'tcp dport 25 meta skuid != @smtp reject';
  const closed = firewallTable(settings, []);
  expect(closed).toContain(rule);
  expect(closed).not.toContain('elements');
  expect(uidsWithSmtp(closed)).toEqual(new Set());
  const open = firewallTable(settings, [20_005, 20_001, 20_005]);
  expect(open).toContain(rule);
  expect(open).toContain('elements = { 20001, 20005 }');
});

test('reads accounts with port 25 from the file and from the output of nft', () => {
  expect(uidsWithSmtp('')).toEqual(new Set());
  const uids = Array.from({ length: 40_000 }, (_, at) => 20_000 + at);
  expect(uidsWithSmtp(firewallTable(settings, uids))).toEqual(new Set(uids));
  const listed = `table inet innkeeper {
\tset other {
\t\ttype uid
\t\telements = { 20009 }
\t}

\tset smtp {
\t\ttype uid
\t\telements = { 20001, 20005,
\t\t\t     20006 }
\t}

\tchain accounts {
\t\ttcp dport { 20008 } accept
\t}
}
`;
  expect(uidsWithSmtp(listed)).toEqual(new Set([20_001, 20_005, 20_006]));
  expect(uidsWithSmtp(listed.replace(/elements = \{ 20001[^}]*\}/, ''))).toEqual(new Set());
});

test('the same settings give the same text, in any order of addresses', () => {
  const controlPlane = settings.controlPlane.toReversed();
  expect(firewallTable({ ...settings, controlPlane }, [])).toBe(firewallTable(settings, []));
});
