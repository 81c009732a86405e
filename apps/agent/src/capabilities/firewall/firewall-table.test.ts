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

test('every rule is for sockets of accounts: nothing else on the server can be locked out', () => {
  const table = firewallTable(settings, []);
  const output = /chain output \{\n([^}]*\}[^}]*)\}/.exec(table)?.[1] ?? '';
  expect(output.trim().split('\n')).toEqual([
    'type filter hook output priority 0; policy accept;',
    expect.stringMatching(/^ *meta skuid \{ 20000-59999, [0-9, -]+ \} goto accounts$/),
  ]);
  expect(table).not.toContain('hook input');
});

test('the control plane is named once for each address and port; what is no address is left out', () => {
  const table = firewallTable(settings, []);
  expect(table).toContain('ip daddr . tcp dport { 203.0.113.5 . 8443 } reject');
  expect(table).toContain('ip6 daddr . tcp dport { 2001:db8::5 . 8444 } reject');
  expect(table).not.toContain('flush ruleset');
});

test('port 25 is for the accounts that are named, and for nobody while none is', () => {
  const rule = 'tcp dport 25 meta skuid != @smtp reject';
  const closed = firewallTable(settings, []);
  expect(closed).toContain(rule);
  expect(closed).not.toContain('elements');
  expect(uidsWithSmtp(closed)).toEqual(new Set());
  const open = firewallTable(settings, [20_005, 20_001, 20_005]);
  expect(open).toContain(rule);
  expect(open).toContain('elements = { 20001, 20005 }');
});

test('who has port 25 is read from what is written, and from what nft lists', () => {
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

test('the same settings give the same text, in whatever order addresses were found', () => {
  const controlPlane = settings.controlPlane.toReversed();
  expect(firewallTable({ ...settings, controlPlane }, [])).toBe(firewallTable(settings, []));
});
