import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountSpec, MailRelay, NodeSettings } from '@innkeeper/protocol';
import { type Box, requireProgram, testInstallation, waitUntil } from '@innkeeper/testkit/machine';
import {
  MAIL_PASSWORD,
  MAIL_USERNAME,
  startMailServer,
  type TestMailServer,
} from '@innkeeper/testkit/mail-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domainOf, specOf } from '../specs.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { visit } from './site.ts';

/** Mail of programs of accounts, through the queue of a hosting server to a real SMTP server. */
let server: AgentBox;
let box: Box;
let relay: TestMailServer;
let folder: string;
let bridge: string;
let generation = 1;
let settingsGeneration = 0;

const RELAY_NAME = 'relay.example.com';
const SENDER_DOMAIN = 'hosting.example.net';

const anna = specOf({
  account_id: 7,
  uid: 20_001,
  linux_user: 'anna',
  terminal_access: true,
  mail: { per_hour: 100, per_day: 500 },
  domains: [domainOf(1, 'anna.example.com')],
});
const bert = specOf({
  account_id: 8,
  uid: 20_002,
  linux_user: 'bert',
  mail: { per_hour: 100, per_day: 500 },
  domains: [domainOf(2, 'bert.example.com')],
});

async function settle(spec: AccountSpec, changes: Partial<AccountSpec> = {}): Promise<void> {
  generation += 1;
  const next = { ...spec, ...changes, generation };
  const outcome = next.desired_state === 'absent' ? 'absent' : 'applied';
  expect(await server.settle(next)).toMatchObject({ outcome });
}

/** Sets the relay of the server, and waits until its heartbeat says that it is applied, or why it is not. */
async function setRelay(mail_relay: MailRelay | null): Promise<string> {
  settingsGeneration += 1;
  const settings: NodeSettings = { generation: settingsGeneration, mail_relay };
  server.controlPlane.settings = settings;
  return await waitUntil(
    `settings ${settingsGeneration} to be applied`,
    () => {
      const beat = server.controlPlane.heartbeat;
      if (Number(beat?.settings_generation) !== settingsGeneration) return false;
      if (beat?.settings_problem === 'They are being applied.') return false;
      return { problem: beat?.settings_problem ?? '' };
    },
    { timeoutMs: 60_000 },
  ).then(({ problem }) => problem);
}

const relayOf = (over: Partial<MailRelay> = {}): MailRelay => ({
  host: RELAY_NAME,
  port: relay.port,
  encryption: 'starttls',
  sign_in: { username: MAIL_USERNAME, password: MAIL_PASSWORD },
  sender_domain: SENDER_DOMAIN,
  ...over,
});

/** Runs a shell line in the account's slice, as its PHP and its tasks run: without new privileges. */
async function as(spec: AccountSpec, line: string, input = '') {
  return await box.exec(
    [
      ...['systemd-run', '--quiet', '--pipe', '--wait', '--collect', `--slice=user-${spec.uid}.slice`],
      ...[`--uid=${spec.uid}`, `--gid=${spec.uid}`, '--property=NoNewPrivileges=yes', 'sh', '-c', line],
    ],
    { input, timeoutMs: 60_000 },
  );
}

const send = (spec: AccountSpec, message: string, options = '-t -i') =>
  as(spec, `/usr/sbin/sendmail ${options}`, message);

async function received(count: number) {
  await waitUntil(`${count} mails at the relay`, () => relay.received.length >= count, { timeoutMs: 30_000 });
  return relay.received.splice(0);
}

const queue = async () =>
  (await box.require(['postqueue', '-c', '/etc/innkeeper/postfix', '-j'])).trim().split('\n').filter(Boolean);

const counters = async (spec: AccountSpec) =>
  (await box.require(['cat', `/var/lib/innkeeper-mail/counts/${spec.uid}`])).split(' ');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'innkeeper-relay-'));
  bridge = (await testInstallation()).boxes.network.hostAddress;
  await requireProgram([
    ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-days', '2', '-subj', `/CN=${RELAY_NAME}`, '-addext', `subjectAltName=DNS:${RELAY_NAME}`],
    ...['-keyout', join(folder, 'key'), '-out', join(folder, 'certificate')],
  ]);
  relay = await startMailServer(await tlsFiles(), { host: bridge });
  server = await startAgentBox('mail');
  box = server.box;
  const hosts = await box.readFile('/etc/hosts');
  await box.writeFile('/etc/hosts', `${hosts}\n${bridge} ${RELAY_NAME}\n`);
  await box.writeFile(
    '/usr/local/share/ca-certificates/relay.crt',
    await readFile(join(folder, 'certificate'), 'utf8'),
  );
  await box.require(['update-ca-certificates']);
  await settle(anna);
  await settle(bert);
  const { driver_ms } = server.controlPlane.reports.at(-1)!;
  console.info(`driver mail of a new account: ${driver_ms.mail} ms; user: ${driver_ms.user} ms`);
}, 180_000);

afterAll(async () => {
  await server?.remove();
  await relay?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function tlsFiles() {
  const [key, cert] = await Promise.all(
    ['key', 'certificate'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  return { key: key!, cert: cert!, hideSTARTTLS: false };
}

describe('without a relay', () => {
  test('a program gets a clear refusal, and nothing of a mail system runs', async () => {
    const { exitCode, stderr } = await send(anna, 'To: bob@example.org\n\nhello\n');
    expect(stderr).toContain('this server has no mail relay yet, so it sends no mail; ask your provider');
    expect(exitCode).toBe(69);
    expect(await box.exec(['systemctl', 'is-active', 'innkeeper-postfix'])).toMatchObject({ exitCode: 3 });
    expect(await box.exec(['pgrep', '-x', 'master'])).toMatchObject({ exitCode: 1 });
  });

  test('nothing listens on port 25', async () => {
    expect(await box.require(['ss', '-ltnH', 'sport = :25'])).toBe('');
  });
});

describe('with a relay', () => {
  test('the settings are applied, and reported as applied', async () => {
    expect(await setRelay(relayOf())).toBe('');
    expect(await box.require(['systemctl', 'is-active', 'innkeeper-postfix'])).toBe('active\n');
    expect(await box.require(['ss', '-ltnH', 'sport = :25'])).toBe('');
  });

  test('mail goes over TLS, signed in, with the account in a header and a sender of its own domain', async () => {
    const message =
      'From: Anna <info@anna.example.com>\nTo: Bob <bob@example.org>\nSubject: Hi\n\nHello Bob\n';
    const result = await send(anna, message, '-t -i -f info@anna.example.com');
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    const [mail] = await received(1);
    expect(mail).toMatchObject({
      from: 'info@anna.example.com',
      to: ['bob@example.org'],
      isEncrypted: true,
      username: MAIL_USERNAME,
    });
    expect(mail!.raw).toMatch(/^X-Innkeeper-Account: 7\r$/m);
    expect(mail!.raw).toMatch(/^Message-Id: /im);
    expect(mail!.text).toContain('Hello Bob');
    expect(mail!.raw).not.toContain('innkeeper.invalid');
    expect(await counters(anna)).toMatchObject({ 2: '1', 7: '1' });
  });

  test('PHP’s mail() of a site returns true, and its headers arrive, but no Bcc', async () => {
    await box.writeFile(
      '/home/anna/domains/anna.example.com/public_html/mail.php',
      `<?php var_dump(mail('carla@example.org', 'From PHP', "Line 1\\n.\\nLine 3", "From: shop@anna.example.com\\r\\nCc: dora@example.org\\r\\nBcc: secret@example.org", '-fshop@anna.example.com'));`,
    );
    const started = performance.now();
    expect((await visit(box.address, 'anna.example.com', '/mail.php')).body).toContain('bool(true)');
    console.info(`PHP, cold: ${Math.round(performance.now() - started)} ms`);
    const [mail] = await received(1);
    expect(mail).toMatchObject({
      from: 'shop@anna.example.com',
      to: ['carla@example.org', 'dora@example.org', 'secret@example.org'],
    });
    expect(mail!.raw).not.toContain('secret@');
    expect(mail!.text).toContain('Line 1\r\n.\r\nLine 3');
  });

  test('a call of mail() costs little more than the start of a program', async () => {
    await box.writeFile(
      '/home/anna/domains/anna.example.com/public_html/cost.php',
      `<?php
        $median = function (callable $call) {
          $took = [];
          for ($i = 0; $i < 15; $i++) { $at = hrtime(true); $call(); $took[] = (hrtime(true) - $at) / 1e6; }
          sort($took);
          return $took[7];
        };
        echo json_encode([
          'start' => $median(fn () => exec('perl -MIO::Socket::UNIX -e 1')),
          'mail' => $median(fn () => mail('cost@example.org', 'Cost', 'x') || exit('failed')),
        ]);`,
    );
    const { body } = await visit(box.address, 'anna.example.com', '/cost.php');
    const cost = JSON.parse(body) as { start: number; mail: number };
    const memory = await box.require([
      'sh',
      '-c',
      'grep -h ^Pss: /proc/$(systemctl show -P MainPID innkeeper-mail)/smaps_rollup',
    ]);
    console.info(
      `mail(): median ${cost.mail.toFixed(1)} ms, start of Perl ${cost.start.toFixed(1)} ms; submit-mail: ${memory.trim()}`,
    );
    expect(await received(15)).toHaveLength(15);
  });

  test('a sender of a foreign domain is replaced, without -f it is the account’s own', async () => {
    await send(anna, 'To: bob@example.org\n\nx\n', '-t -i -f boss@bert.example.com');
    await send(anna, 'To: bob@example.org\n\nx\n');
    await send(anna, 'To: bob@example.org\n\nx\n', "-t -i -f ''");
    for (const { from } of await received(3)) expect(from).toBe(`anna@${SENDER_DOMAIN}`);
  });

  test('a cron job, a shell and /usr/lib/sendmail use the same way', async () => {
    await as(anna, 'echo body | /usr/lib/sendmail bob@example.org');
    await settle(anna, {
      cron_jobs: [
        {
          cron_job_id: 1,
          schedule: '* * * * *',
          command: "php -r \"mail('cron@example.org', 'cron', 'x');\"",
          enabled: true,
        },
      ],
    });
    const mails = await received(1);
    expect(mails[0]!.to).toEqual(['bob@example.org']);
    await waitUntil('the mail of the cron job', () => relay.received.length > 0, { timeoutMs: 90_000 });
    await settle(anna);
    expect(relay.received.splice(0)[0]).toMatchObject({ to: ['cron@example.org'] });
  });

  test('the password is root’s alone: in no argument, no log, no file that an account or the mail service reads', async () => {
    const file = '/etc/innkeeper/postfix/relay-password';
    expect(await box.require(['stat', '-c', '%a %U', file])).toBe('600 root\n');
    expect(await box.require(['stat', '-c', '%a %U', '/etc/innkeeper/node-settings.json'])).toBe(
      '600 root\n',
    );
    expect((await as(anna, `cat ${file}`)).exitCode).not.toBe(0);
    const readers = await box.exec(['grep', '-rlF', MAIL_PASSWORD, '/etc/innkeeper']);
    expect(readers.stdout.trim().split('\n').sort()).toEqual(['/etc/innkeeper/node-settings.json', file]);
    await box.writeFile('/root/pattern', MAIL_PASSWORD, { mode: 0o600 });
    const commandLines = await box.exec(['sh', '-c', 'grep -alF -f /root/pattern /proc/[0-9]*/cmdline']);
    expect(commandLines.stdout).toBe('');
    await box.require(['rm', '/root/pattern']);
    expect(await box.require(['journalctl', '--no-pager', '-q'])).not.toContain(MAIL_PASSWORD);
  });
});

describe('abuse', () => {
  test('a forged header of the account is removed, in every spelling, and no line end makes another header or mail', async () => {
    const forged = [
      'X-Innkeeper-Account: 1\n folded: 2\n',
      'x-innkeeper-account : 1\n',
      'Subject: a\rX-Innkeeper-Account: 1\n',
      'X-Innkeeper-Other: 1\n',
    ].join('');
    await send(
      anna,
      `To: bob@example.org\n${forged}X-Mine: yes\n\ntext\r\n.\r\nMAIL FROM:<evil@example.org>\r\n`,
    );
    await send(anna, ' X-First: line\nTo: no@example.org\n\ntext\n', '-i bob@example.org');
    const [first, second] = await received(2);
    for (const { raw } of [first!, second!]) {
      const headers = raw.slice(0, raw.indexOf('\r\n\r\n'));
      expect(headers.match(/^x-innkeeper.*$/gim)).toEqual(['X-Innkeeper-Account: 7']);
    }
    expect(first!.raw).toMatch(/^X-Mine: yes\r$/m);
    expect(first!.raw).toContain('\r\nMAIL FROM:<evil@example.org>\r\n');
    expect(second!.to).toEqual(['bob@example.org']);
    expect(relay.received).toEqual([]);
  });

  test.each([
    ['a line end in a recipient', "-i 'a@b.example\nTO c@d.example'", 65],
    ['a recipient with a space', "-i 'a b@example.org'", 65],
    ['a pipe as recipient', "-i '|/bin/sh'", 65],
    ['no recipient', '-i', 65],
    ['a list of the queue', '-bp', 64],
  ])('%s is refused', async (_, options, code) => {
    expect(await send(anna, 'Subject: x\n\nx\n', options)).toMatchObject({ exitCode: code });
  });

  test('a message that is too large is refused before it is sent, and counts for nothing', async () => {
    const before = (await counters(anna))[2];
    const big = await as(
      anna,
      '(echo; head -c 27000000 /dev/zero | tr "\\0" "x") | /usr/sbin/sendmail -i bob@example.org',
    );
    expect(big).toMatchObject({ exitCode: 65 });
    expect(big.stderr).toContain('larger than 25 MiB');
    expect((await counters(anna))[2]).toBe(before);
  });

  test('a limit holds exactly across many processes at once, says why, and is counted', async () => {
    await settle(bert, { mail: { per_hour: 10, per_day: 500 } });
    const flood =
      'for i in $(seq 25); do (echo x | /usr/sbin/sendmail -i bob@example.org 2>>/tmp/said; echo $? >>/tmp/codes) & done; wait; sort /tmp/codes | uniq -c; cat /tmp/said';
    const { stdout } = await as(bert, flood);
    expect(stdout).toMatch(/^\s*10 0$/m);
    expect(stdout).toMatch(/^\s*15 75$/m);
    expect(stdout).toContain('the account has sent 10 of 10 mails that its package allows in this hour');
    expect(await received(10)).toHaveLength(10);
    const [, , sent, refused] = await counters(bert);
    expect([sent, refused]).toEqual(['10', '15']);
    // A mail to several recipients counts for each.
    await settle(bert, { mail: { per_hour: 500, per_day: 12 } });
    const many = await send(bert, 'To: a@example.org, b@example.org, c@example.org\n\nx\n');
    expect(many.exitCode).toBe(75);
    expect(many.stderr).toContain('in this day, and this one has 3 recipients');
    expect((await send(bert, 'To: a@example.org, b@example.org\n\nx\n')).exitCode).toBe(0);
    await received(1);
    await settle(bert);
  });

  test('a package without mail sends none', async () => {
    await settle(bert, { mail: { per_hour: 0, per_day: 500 } });
    const { exitCode, stderr } = await send(bert, 'To: a@example.org\n\nx\n');
    expect(exitCode).toBe(77);
    expect(stderr).toContain('the package of this account does not include sending mail');
    await settle(bert);
  });

  test('an account that speaks to the service itself cannot name another account, and other users are refused', async () => {
    const talk = (lines: string) =>
      `perl -MIO::Socket::UNIX -e 'my $s = IO::Socket::UNIX->new(Peer => "/run/innkeeper/mail.sock"); print {$s} "${lines}"; print while <$s>'`;
    const raw = await as(
      anna,
      talk('INNKEEPER-MAIL 1\\nSIZE 3\\nFROM x@bert.example.com\\nACCOUNT 8\\nTO a\\@example.org\\n\\nabc'),
    );
    expect(raw.stdout).toContain('ERR 65');
    const other = await box.exec([
      'setpriv',
      '--reuid=33',
      '--regid=33',
      '--clear-groups',
      'sh',
      '-c',
      talk(''),
    ]);
    expect(other.stdout).toContain('ERR 77 this service is for hosting accounts only');
    for (const path of [
      '/var/spool/innkeeper-postfix/public/innkeeper',
      '/etc/innkeeper/mail/accounts/20002',
    ])
      expect((await as(anna, `test -r ${path}`)).exitCode).not.toBe(0);
    // postdrop of Debian's is no way around it.
    const postdrop = await box.exec([
      'setpriv',
      '--reuid=20001',
      '--regid=20001',
      '--clear-groups',
      'sh',
      '-c',
      'echo x | /usr/sbin/postdrop -c /etc/innkeeper/postfix',
    ]);
    expect(postdrop.exitCode).not.toBe(0);
  });

  test('a connection that sends nothing does not stop others', async () => {
    const idle = `perl -MIO::Socket::UNIX -e 'my @s = map { IO::Socket::UNIX->new(Peer => "/run/innkeeper/mail.sock") } 1..30; sleep 20'`;
    const holding = as(bert, idle);
    expect((await send(anna, 'To: bob@example.org\n\nx\n')).exitCode).toBe(0);
    await received(1);
    await holding;
  });
});

describe('the queue', () => {
  test('holds mail while the relay is away, and delivers it afterwards', async () => {
    const { port } = relay;
    await relay[Symbol.asyncDispose]();
    expect((await send(anna, 'To: later@example.org\n\nx\n')).exitCode).toBe(0);
    await waitUntil(
      'the mail to be deferred',
      async () => (await queue()).some((line) => line.includes('deferred')),
      {
        timeoutMs: 30_000,
      },
    );
    relay = await startMailServer(await tlsFiles(), { host: bridge, port });
    await box.require(['postqueue', '-c', '/etc/innkeeper/postfix', '-f']);
    expect((await received(1))[0]!.to).toEqual(['later@example.org']);
    expect(await queue()).toEqual([]);
  });

  test('keeps the mail of a suspended account, delivers it when it is active again, and deletes that of a removed one', async () => {
    const { port } = relay;
    await relay[Symbol.asyncDispose]();
    for (const spec of [anna, bert])
      expect((await send(spec, `To: ${spec.linux_user}@example.org\n\nx\n`)).exitCode).toBe(0);
    await waitUntil('both to be deferred', async () => (await queue()).length === 2, { timeoutMs: 30_000 });
    await settle(anna, { desired_state: 'suspended' });
    expect((await send(anna, 'To: bob@example.org\n\nx\n')).stderr).toContain('the account is suspended');
    const before = await queue();
    expect(before.filter((line) => line.includes('"hold"'))).toHaveLength(1);
    relay = await startMailServer(await tlsFiles(), { host: bridge, port });
    await box.require(['postqueue', '-c', '/etc/innkeeper/postfix', '-f']);
    expect((await received(1))[0]!.to).toEqual(['bert@example.org']);
    expect(await queue()).toHaveLength(1);
    await settle(anna);
    expect((await received(1))[0]!.to).toEqual(['anna@example.org']);

    await relay[Symbol.asyncDispose]();
    expect((await send(bert, 'To: never@example.org\n\nx\n')).exitCode).toBe(0);
    await waitUntil('it to be deferred', async () => (await queue()).length === 1, { timeoutMs: 30_000 });
    await settle(bert, { desired_state: 'absent' });
    expect(await queue()).toEqual([]);
    for (const path of ['/etc/innkeeper/mail/accounts/20002', '/var/lib/innkeeper-mail/counts/20002'])
      await box.require(['test', '!', '-e', path]);
    relay = await startMailServer(await tlsFiles(), { host: bridge, port });
  });

  test('returns a mail that the relay refuses to its sender, and nothing to a sender that the server made up', async () => {
    relay.refusals.push(550);
    await send(anna, 'To: gone@example.org\nSubject: refused\n\nx\n', '-t -i -f info@anna.example.com');
    const [bounce] = await received(1);
    expect(bounce).toMatchObject({ from: '', to: ['info@anna.example.com'] });
    expect(bounce!.raw).not.toMatch(/^To: .*innkeeper\.invalid/m);
    relay.refusals.push(550);
    await send(anna, 'To: gone@example.org\n\nx\n');
    await waitUntil('the queue to be empty', async () => (await queue()).length === 0, { timeoutMs: 30_000 });
    expect(relay.received).toEqual([]);
  });

  test('a wrong password and a certificate of another name keep the mail, and are no success', async () => {
    expect(await setRelay(relayOf({ sign_in: { username: MAIL_USERNAME, password: 'wrong' } }))).toBe('');
    await send(anna, 'To: bob@example.org\n\nx\n');
    await waitUntil('it to be deferred', async () => (await queue()).some((line) => /535/.test(line)), {
      timeoutMs: 30_000,
    });
    const hosts = await box.readFile('/etc/hosts');
    await box.writeFile('/etc/hosts', `${hosts}\n${bridge} other.example.com\n`);
    expect(await setRelay(relayOf({ host: 'other.example.com' }))).toBe('');
    await waitUntil(
      'it to be deferred',
      async () => (await queue()).some((line) => /not verified|verif/i.test(line)),
      {
        timeoutMs: 30_000,
      },
    );
    expect(relay.received).toEqual([]);
    expect(await setRelay(relayOf())).toBe('');
    expect(await received(1)).toHaveLength(1);
  });

  test('what the server reports: counts of each account, and the queue', async () => {
    // The agent looks at the queue every 30 s.
    await waitUntil(
      'figures of mail, with an empty queue',
      () => {
        const { mail_sent_today = 0, mail_queued } = server.controlPlane.heartbeat?.figures ?? {};
        return mail_sent_today > 0 && mail_queued === 0;
      },
      { timeoutMs: 90_000, everyMs: 500 },
    );
    expect(server.controlPlane.heartbeat?.warnings).not.toContain('MAIL_DOWN');
  });

  test('without a relay again nothing runs, and the agent starts what was stopped by hand', async () => {
    await box.require(['systemctl', 'kill', '--signal=KILL', 'innkeeper-postfix']);
    await waitUntil(
      'the queue to run again',
      async () => (await box.exec(['systemctl', 'is-active', 'innkeeper-postfix'])).exitCode === 0,
      { timeoutMs: 30_000 },
    );
    expect((await send(anna, 'To: bob@example.org\n\nx\n')).exitCode).toBe(0);
    await received(1);
    const idle = await box.require([
      'sh',
      '-c',
      'for p in $(cat /sys/fs/cgroup/unified/system.slice/innkeeper-postfix.service/cgroup.procs 2>/dev/null || systemd-cgls -u innkeeper-postfix.service --no-pager | grep -oE "[0-9]+ [/a-z]" | cut -d" " -f1); do grep -h ^Pss: /proc/$p/smaps_rollup; done | awk "{ sum += \\$2 } END { print sum }"',
    ]);
    console.info(`Postfix, after a mail: ${idle.trim()} kB Pss`);
    expect(await setRelay(null)).toBe('');
    expect(await box.exec(['pgrep', '-x', 'master'])).toMatchObject({ exitCode: 1 });
    await box.require(['test', '!', '-e', '/etc/innkeeper/postfix/relay-password']);
    expect((await send(anna, 'To: bob@example.org\n\nx\n')).exitCode).toBe(69);
  });
});
