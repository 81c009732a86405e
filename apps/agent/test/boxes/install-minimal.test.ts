import { type Box, makeIpv6Only, testInstallation, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ControlPlaneServer } from '../control-plane-server.ts';
import { specOf } from '../specs.ts';
import { firstInstallation, install, startBareBox } from './agent-box.ts';
import { differences, serverState } from './server-state.ts';
import { visit } from './site.ts';

/**
 * A hoster's smallest image: no nginx, PHP, database, cron, D-Bus, sudo or locales, only a root file system without quotas,
 * and no IPv4. The cases build on each other.
 */
let box: Box;
/** IPv6. */
let address: string;
let controlPlane: ControlPlaneServer;
let before: string[];
const SLOW = 600_000;
/** What Debian's packages themselves leave when they are purged. */
const LEFT_BY_DEBIAN =
  / etc\/(?:ld\.so\.cache|passwd|group|shadow|gshadow|mysql|ucf|sysctl|alternatives\/(?:php-fpm\.sock|my\.cnf))| var\/(?:www|lib\/ucf)|^\+ (?:group|user) (?:crontab|messagebus|mysql):/;

beforeAll(async () => {
  const bare = await startBareBox('minimal', 'debian12-minimal');
  bare.controlPlane.stop();
  box = bare.box;
  const { boxes } = await testInstallation();
  const ipv6 = await makeIpv6Only(box, boxes.network);
  address = ipv6.address;
  controlPlane = await ControlPlaneServer.start(ipv6.hostAddress);
  await box.require(['umount', '/home']);
  before = await serverState(box);
}, SLOW);

afterAll(async () => {
  controlPlane?.stop();
  await (await testInstallation()).boxes.remove('minimal');
});

async function settled(spec: ReturnType<typeof specOf>): Promise<string | undefined> {
  controlPlane.want(spec);
  const report = await waitUntil(
    `the account to be ${spec.desired_state}`,
    () => {
      const last = controlPlane.reportOf(spec.account_id, spec.generation);
      return last !== undefined && last.outcome !== 'progressing' && last;
    },
    { timeoutMs: 90_000 },
  );
  return report.outcome;
}

describe('the installer on a minimal Debian', () => {
  test('--check names the packages that it will install, and changes nothing', async () => {
    const { exitCode, stdout } = await install(box, ['--check']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^change {3}packages {7}apt-get installs .*cron dbus git .*nginx .*php-fpm /m);
    expect(stdout).toMatch(/^change {3}database {7}MariaDB is installed$/m);
    expect(stdout).toMatch(/^note {5}quota .*\(accounting-only\)/m);
    const asked = await install(box, ['--check', ...(await firstInstallation(box, controlPlane))]);
    await box.require(['rm', '/root/join-token']);
    expect(asked.stdout).toContain(`ok       control        ${controlPlane.address} answers`);
    expect(differences(before, await serverState(box))).toEqual([]);
  });

  test('refuses, before any change, when a package would remove one of the operator’s', async () => {
    // A package of the operator's that conflicts with nginx.
    const status = ['Package: own-web', 'Status: install ok installed', 'Priority: optional', 'Section: web'];
    const more = ['Maintainer: a <a@example.org>', 'Architecture: all', 'Version: 1', 'Conflicts: nginx'];
    await box.require(['cp', '/var/lib/dpkg/status', '/root/status']);
    const paragraph = `${[...status, ...more, 'Description: own web server'].join('\n')}\n\n`;
    await box.require(['sh', '-c', 'cat >> /var/lib/dpkg/status; : > /var/lib/dpkg/info/own-web.list'], {
      input: paragraph,
    });
    const { exitCode, stderr } = await install(box, ['--no-enrol']);
    await box.require([
      'sh',
      '-c',
      'mv /root/status /var/lib/dpkg/status; rm /var/lib/dpkg/info/own-web.list',
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^refused {2}packages .* would remove: own-web\./m);
    expect(differences(before, await serverState(box))).toEqual([]);
  });

  test('installs the missing packages, and an account with a PHP site works over IPv6', {
    timeout: SLOW,
  }, async () => {
    const result = await box.exec(
      ['/root/innkeeper-agent/install.sh', ...(await firstInstallation(box, controlPlane))],
      { timeoutMs: SLOW },
    );
    expect(result, result.stdout + result.stderr).toMatchObject({ exitCode: 0 });
    const spec = specOf({});
    expect(await settled(spec)).toBe('applied');
    expect((await visit(address, spec.domains[0]!.name)).status).toBe(200);
    const gone = specOf({ desired_state: 'absent', generation: spec.generation + 1 });
    expect(await settled(gone)).toBe('absent');
  });

  test('--uninstall --purge-packages gives the server back', { timeout: SLOW }, async () => {
    // An account that is absent stays in the ledger until the control plane has its report.
    await waitUntil('the empty ledger', async () => {
      const ledger = await box.require(['ls', '/var/lib/innkeeper/agent/ledger']);
      return !ledger.includes('.json');
    });
    const result = await box.exec(['/root/innkeeper-agent/install.sh', '--uninstall', '--purge-packages'], {
      timeoutMs: SLOW,
    });
    expect(result, result.stdout + result.stderr).toMatchObject({ exitCode: 0 });
    const left = differences(before, await serverState(box)).filter((line) => !LEFT_BY_DEBIAN.test(line));
    expect(left).toEqual([]);
  });
});
