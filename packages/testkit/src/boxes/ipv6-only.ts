import { writeFile } from 'node:fs/promises';
import { requireProgram } from '../processes/program.ts';
import type { Box } from './box.ts';
import type { BoxNetwork } from './box-network.ts';

/**
 * Takes the IPv4 address of a box away and gives it an IPv6 address instead, and one to the bridge too. Until the box
 * stops. Returns the address of the box and that of this machine on the bridge.
 */
export async function makeIpv6Only(
  box: Box,
  { bridge, hostAddress }: BoxNetwork,
): Promise<{ address: string; hostAddress: string }> {
  const [, , subnet] = hostAddress.split('.');
  const of = (ipv4: string) => `fd77::${subnet}:${ipv4.split('.').at(-1)}`;
  const [host, address] = [of(hostAddress), of(box.address)];
  await writeFile(`/proc/sys/net/ipv6/conf/${bridge}/disable_ipv6`, '0');
  await requireProgram(['ip', 'address', 'replace', `${host}/112`, 'dev', bridge, 'nodad']);
  await box.require(['sysctl', '-qw', 'net.ipv6.conf.eth0.disable_ipv6=0']).catch(() => {});
  await box.require(['ip', '-4', 'address', 'flush', 'dev', 'eth0']);
  await box.require(['ip', 'address', 'replace', `${address}/112`, 'dev', 'eth0', 'nodad']);
  return { address, hostAddress: host };
}
