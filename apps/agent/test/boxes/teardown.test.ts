import type { AccountSpec } from '@innkeeper/protocol';
import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { domainOf, specOf } from '../specs.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { findRemains } from './remains.ts';

/** A tenant leaves files wherever it may write. The agent, in its unit's sandbox, finds them all. */
let server: AgentBox;
let box: Box;
const spec: AccountSpec = specOf({
  account_id: 1,
  linux_user: 'strewer',
  terminal_access: true,
  smtp_port_25: true,
  domains: [domainOf(1, 'strewer.example.com')],
});

beforeAll(async () => {
  server = await startAgentBox('teardown');
  box = server.box;
});

afterAll(() => server.remove());

const asTenant = (script: string) =>
  box.require([
    ...['setpriv', '--reuid', String(spec.uid), '--regid', String(spec.uid), '--clear-groups'],
    ...['env', '-C', '/home/strewer', 'sh', '-ec', script],
  ]);

const queue = () => box.require(['ipcs', '-a']);

test('removes everything that an account left on the server, and nothing of others', async () => {
  const ipcBefore = await queue();
  expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
  await asTenant(`
    for folder in /tmp /var/tmp /dev/shm /run/lock; do mkdir -p $folder/strewn/deep; echo x > $folder/strewn/deep/file; done
    ln -s /etc/passwd /tmp/strewn/link
    ipcmk -M 1024; ipcmk -S 1; ipcmk -Q
    mkdir -p closed/inner setgid; echo x > closed/inner/file; chmod 000 closed/inner closed
    mkdir -p setgid/inner; chmod 2000 setgid/inner
    mkfifo fifo; touch -- '-rf' '*' "new
line"
    ln /home/strewer/fifo hardlink; ln -s / root`);
  await box.require([
    'sh',
    '-ec',
    'echo root > /home/strewer/of-root; mkdir /home/strewer/roots; touch /home/strewer/roots/x',
  ]);
  await box.require(['sh', '-ec', 'echo "* * * * * true" | crontab -u strewer -']);
  await box.require(['sh', '-ec', 'echo mail > /var/mail/strewer; chown strewer:mail /var/mail/strewer']);
  await box.require([
    'sh',
    '-ec',
    'echo kept > /tmp/of-root; mkdir -p /tmp/strewn-not; echo kept > /tmp/strewn-not/file',
  ]);
  await asTenant('setsid sh -c "trap : TERM HUP INT; while :; do sleep 1; done" >/dev/null 2>&1 &');
  await asTenant('setsid sh -c "while :; do (sleep 0.05 &); sleep 0.01; done" >/dev/null 2>&1 &');

  const report = await server.settle({ ...spec, generation: 2, desired_state: 'absent' });
  expect(report).toMatchObject({ outcome: 'absent' });
  await waitUntil(
    'the account to leave the ledger',
    async () => (await server.status()).accounts.total === 0,
  );
  expect(await findRemains(box, spec, ['strewer.example.com', 'strewn/'])).toEqual([]);
  expect(await queue()).toBe(ipcBefore);
  expect(await box.readFile('/tmp/strewn-not/file')).toBe('kept\n');
  expect(await box.readFile('/etc/passwd')).toContain('root:x:0:0');
});

test('the same username and uid can be used again, and the new account sees nothing of the previous one', async () => {
  const again: AccountSpec = { ...spec, generation: 3 };
  expect(await server.settle(again)).toMatchObject({ outcome: 'applied' });
  const files = await box.require(['find', '/home/strewer', '-mindepth', '1', '-printf', '%P\n']);
  expect(files.split('\n').filter(Boolean).sort()).toEqual([
    '.php',
    '.php/sessions',
    '.php/tmp',
    'domains',
    'domains/strewer.example.com',
    'domains/strewer.example.com/public_html',
    'domains/strewer.example.com/public_html/innkeeper-welcome.php',
    'logs',
  ]);
});
