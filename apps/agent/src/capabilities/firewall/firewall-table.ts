import { accountUidRanges, canonicalAddress } from '@innkeeper/domain';

/** An address and a port of the control plane. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

export interface FirewallSettings {
  /** The control plane's endpoints that this server knows. */
  readonly controlPlane: readonly Endpoint[];
  /** Ports of the agent on this server's own addresses. */
  readonly agentPorts: readonly number[];
  /** The first ephemeral port: the kernel gives these to clients that did not request a port. */
  readonly firstClientPort: number;
}

export const FIREWALL_TABLE = 'innkeeper';
const SMTP_SET = 'smtp';
/** Of answers to transfers of an FTP session: deploy/node/etc/innkeeper/ftp/firewall.nft sets it. */
const FTP_TRANSFER_MARK = '0x1f7b0021';

/**
 * Addresses where clouds serve an instance's metadata, including credentials: AWS, Azure, Google, Oracle, OpenStack,
 * Hetzner, DigitalOcean (all link-local), Azure's host 168.63.129.16, Alibaba 100.100.100.200, Oracle Classic
 * 192.0.0.192; in IPv6 AWS, Google, Scaleway, OpenStack.
 */
const METADATA_4 = ['100.100.100.200', '168.63.129.16', '169.254.0.0/16', '192.0.0.192'];
const METADATA_6 = ['fd00:42::42', 'fd00:ec2::/32', 'fd20:ce::254', 'fe80::a9fe:a9fe'];

/** By number: a small Debian has no /etc/protocols, which nft needs for names. */
const [ICMP, TCP, UDP, ICMP_6] = [1, 6, 17, 58];

/**
 * Returns the nftables table in the format of `nft -f`. It replaces the existing table in one step. Every rule matches
 * only sockets that accounts have created. Other packets of the server match no rule, so no setting here can lock an
 * operator out. The table uses no connection tracking: that would cost every connection of every site, and a full
 * tracking table would stop them all.
 *
 * A refused connection is rejected at once, so no worker of a site waits for an answer. A server that an account runs
 * is not reachable from outside: its answer to a connection (SYN and ACK) is dropped here, unless it belongs to the
 * transfers of an FTP session. UDP leaves only from ephemeral ports.
 *
 * Only the given uids may connect to port 25 of other servers: one look-up in a kernel set, whatever its size.
 */
export function firewallTable(settings: FirewallSettings, smtpUids: Iterable<number>): string {
  const uids = accountUidRanges.map(([first, last]) => `${first}-${last}`).join(', ');
  const senders = [...new Set(smtpUids)].sort((a, b) => a - b);
  const refuse = 'reject with icmpx admin-prohibited';
  const rules = [
    ...portsRule('fib daddr type local tcp dport', settings.agentPorts, 'reject with tcp reset'),
    ...endpointRules(settings.controlPlane, refuse),
    'oifname "lo" accept',
    // Name servers of some clouds are at these addresses, too.
    `ip daddr { ${METADATA_4.join(', ')} } meta l4proto { ${TCP}, ${UDP} } th dport 53 accept`,
    `ip6 daddr { ${METADATA_6.join(', ')} } meta l4proto { ${TCP}, ${UDP} } th dport 53 accept`,
    `ip daddr { ${METADATA_4.join(', ')} } ${refuse}`,
    `ip6 daddr { ${METADATA_6.join(', ')} } ${refuse}`,
    `tcp dport 25 meta skuid != @${SMTP_SET} ${refuse}`,
    `tcp flags & (syn | ack) == syn | ack meta mark != ${FTP_TRANSFER_MARK} drop`,
    `udp sport < ${settings.firstClientPort} drop`,
    `meta l4proto { ${TCP}, ${UDP}, ${ICMP}, ${ICMP_6} } accept`,
    'drop',
  ];
  return [
    '# Managed by Innkeeper: written by the agent, changes are undone.',
    // Creates the table if it is missing, so that the deletion succeeds.
    `table inet ${FIREWALL_TABLE} {}`,
    `delete table inet ${FIREWALL_TABLE}`,
    `table inet ${FIREWALL_TABLE} {`,
    `  set ${SMTP_SET} {`,
    '    type uid',
    ...(senders.length === 0 ? [] : [`    elements = { ${senders.join(', ')} }`]),
    '  }',
    '  chain output {',
    '    type filter hook output priority 0; policy accept;',
    `    meta skuid { ${uids} } goto accounts`,
    '  }',
    '  chain accounts {',
    ...rules.map((rule) => `    ${rule}`),
    '  }',
    '}',
    '',
  ].join('\n');
}

/** Returns the uids with port 25 in a table, in the format of `firewallTable` or of `nft list`. */
export function uidsWithSmtp(table: string): ReadonlySet<number> {
  const elements = new RegExp(`\\bset ${SMTP_SET} \\{[^}]*?elements = \\{([^}]*)\\}`).exec(table)?.[1] ?? '';
  return new Set([...elements.matchAll(/\d+/g)].map(([uid]) => Number(uid)));
}

function portsRule(match: string, ports: readonly number[], verdict: string): string[] {
  return ports.length === 0 ? [] : [`${match} { ${sorted(ports.map(String))} } ${verdict}`];
}

function endpointRules(endpoints: readonly Endpoint[], verdict: string): string[] {
  const known = endpoints.flatMap(({ address, port }) => {
    const canonical = canonicalAddress(address);
    return canonical === undefined ? [] : [`${canonical} . ${port}`];
  });
  const rule = (family: 'ip' | 'ip6', elements: string[]) =>
    elements.length === 0 ? [] : [`${family} daddr . tcp dport { ${sorted(elements)} } ${verdict}`];
  return [
    ...rule(
      'ip',
      known.filter((element) => !element.includes(':')),
    ),
    ...rule(
      'ip6',
      known.filter((element) => element.includes(':')),
    ),
  ];
}

function sorted(elements: readonly string[]): string {
  return [...new Set(elements)].sort().join(', ');
}
