import { connect } from 'node:http2';
import { isIP } from 'node:net';
import { DomainError } from '@innkeeper/domain';
import { findAuthorityOfServer, splitTarget } from '@innkeeper/protocol/client';
import { decodeJoinToken, type JoinToken } from '@innkeeper/protocol/identity';

/** One line of the installer's check. `refused`: an installation would fail. */
export interface Finding {
  status: 'ok' | 'note' | 'refused';
  name: 'join-token' | 'control' | 'clock';
  sentence: string;
}

const TIMEOUT_MS = 10_000;
/** A server certificate is valid from a few minutes before it is signed, so a larger difference can break TLS. */
const REFUSED_CLOCK_MS = 300_000;
const NOTED_CLOCK_MS = 10_000;

/**
 * Checks what an enrolment needs and changes nothing: the form of the join token, that the control plane answers and is
 * the one that made the token, and that both clocks agree. The token's secret is not sent. `control` (`host:port`) comes
 * before the token's own address.
 */
export async function checkControl(
  control: string | undefined,
  joinToken: string | undefined,
  now: () => number = Date.now,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const add = (status: Finding['status'], name: Finding['name'], sentence: string) =>
    void findings.push({ status, name, sentence });

  let token: JoinToken | undefined;
  try {
    token = joinToken === undefined ? undefined : decodeJoinToken(joinToken);
    if (token !== undefined) add('ok', 'join-token', `for the server "${token.node}"`);
  } catch (error) {
    add('refused', 'join-token', messageOf(error));
  }
  const target = control ?? token?.control ?? undefined;
  if (target === undefined) {
    if (token !== undefined)
      add(
        'refused',
        'control',
        'The join token has no address of the control plane. Add --control HOST:PORT.',
      );
    return findings;
  }
  try {
    const difference = (await dateOf(target)) - now();
    if (token !== undefined) await findAuthorityOfServer(target, token.ca, TIMEOUT_MS);
    add('ok', 'control', `${target} answers`);
    findings.push(clockFinding(difference));
  } catch (error) {
    const advice =
      error instanceof DomainError && error.code === 'forbidden'
        ? 'Check the address in --control, and that the token was made there.'
        : 'Check the address, DNS, and that firewalls let this server connect to that port.';
    add('refused', 'control', `${messageOf(error)} ${advice}`);
  }
  return findings;
}

function clockFinding(differenceMs: number): Finding {
  const seconds = Math.round(Math.abs(differenceMs) / 1_000);
  const sentence = `This server's clock is ${seconds} s ${differenceMs > 0 ? 'behind' : 'ahead of'} the control plane's.`;
  if (Math.abs(differenceMs) > REFUSED_CLOCK_MS)
    return {
      status: 'refused',
      name: 'clock',
      sentence: `${sentence} Certificates are not valid then. Set the clock: timedatectl set-ntp true, or install chrony.`,
    };
  if (Math.abs(differenceMs) > NOTED_CLOCK_MS)
    return {
      status: 'note',
      name: 'clock',
      sentence: `${sentence} Install systemd-timesyncd or chrony, so that it stays right.`,
    };
  return { status: 'ok', name: 'clock', sentence: 'agrees with the control plane' };
}

/**
 * Returns the time of the server, in ms since 1970, from the `date` header of its answer to a call that does not exist.
 * Its certificate is not verified: with a wrong clock it would not be valid.
 */
function dateOf(target: string): Promise<number> {
  const { host, port } = splitTarget(target);
  return new Promise((resolve, reject) => {
    const authority = `https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    const session = connect(authority, { rejectUnauthorized: false });
    const fail = (why: string) => {
      clearTimeout(timeout);
      session.destroy();
      reject(new DomainError('unavailable', `${target} does not answer: ${why}.`));
    };
    const timeout = setTimeout(() => fail(`nothing came within ${TIMEOUT_MS / 1_000} s`), TIMEOUT_MS);
    session.on('error', (error) => fail(error.message));
    session.on('close', () => fail('it closed the connection'));
    session.on('connect', () => {
      const request = session.request({
        ':method': 'POST',
        ':path': '/innkeeper.node.v1.NodeService/Clock',
        'content-type': 'application/grpc',
        te: 'trailers',
      });
      request.on('error', (error) => fail(error.message));
      request.on('response', ({ date }) => {
        const time = Date.parse(String(date));
        if (Number.isNaN(time)) return fail('it is no control plane of Innkeeper');
        resolve(time);
        clearTimeout(timeout);
        session.destroy();
      });
      request.end();
    });
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
