import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ControlPlaneRig, startControlPlaneRig } from './control-plane-rig.ts';

let rig: ControlPlaneRig;
let accountId: number;
let packageId: number;
let serial = 0;
beforeAll(async () => {
  rig = await startControlPlaneRig();
  packageId = rig.packages.large;
  await rig.db.updateTable('packages').set({ max_cron_jobs: 3 }).where('id', '=', packageId).execute();
});
afterAll(() => rig?.stop());
beforeEach(async () => {
  serial += 1;
  const { body } = await rig.ask('createAccount', {
    body: {
      username: `cron${serial}`,
      name: 'C',
      email: 'c@example.com',
      password: 'correct horse',
      package_id: packageId,
    },
  });
  accountId = body.data.id;
});

const job = { schedule: '*/5 * * * *', command: 'php cron.php' };
const add = (more: object = {}, token = rig.adminToken) =>
  rig.ask('createCronJob', { token, body: { hosting_account_id: accountId, ...job, ...more } });
const change = (id: number, more: object = {}, token = rig.adminToken) =>
  rig.ask('updateCronJob', { id, token, body: { ...job, ...more } });
const onNode = () => rig.node.accounts.get(accountId)?.cron_jobs;

const chaining = 'The command field must not contain ";", "|", "&", a backtick or "$(".';
const privilege = 'The command field must not run su or sudo.';
const systemPath = 'The command field must not redirect into a system path.';
const schedule = 'The schedule field must be a valid cron expression.';

const refused: [field: string, value: unknown, sentence: string][] = [
  ['schedule', undefined, 'The schedule field is required.'],
  ['schedule', '@reboot', schedule],
  ['schedule', '* * * *', schedule],
  ['schedule', '* * * * * *', schedule],
  ['schedule', '61 * * * *', schedule],
  ['schedule', '* * L * *', schedule],
  ['schedule', '*\n* * * *', 'The schedule field format is invalid.'],
  ['schedule', ['* * * * *'], 'The schedule field must be a string.'],
  ['schedule', `${'1,'.repeat(200)}1 * * * *`, 'The schedule field must not be greater than 255 characters.'],
  ['command', undefined, 'The command field is required.'],
  ['command', '', 'The command field is required.'],
  ['command', 'x'.repeat(2_001), 'The command field must not be greater than 2000 characters.'],
  ['command', 'a\nb', 'The command field format is invalid.'],
  ['command', 'a\0b', 'The command field format is invalid.'],
  ['command', {}, 'The command field is required.'],
  ['command', 5, 'The command field must be a string.'],
  ['command', 'a; b', chaining],
  ['command', 'a | b', chaining],
  ['command', 'a && b', chaining],
  ['command', 'a > /dev/null 2>&1', chaining],
  ['command', 'echo `id`', chaining],
  ['command', 'echo $(id)', chaining],
  ['command', 'sudo ls', privilege],
  ['command', '/bin/su -', privilege],
  ['command', 'echo x > /etc/passwd', systemPath],
  ['command', 'echo x >>/usr/x', systemPath],
  ['name', 'x'.repeat(101), 'The name field must not be greater than 100 characters.'],
];

describe('adding a cron job', () => {
  it('answers once the node has it', async () => {
    const { status, body } = await add({ name: ' Nightly ', schedule: ' 0   3 * *  sun ' });
    expect([status, body.data]).toMatchObject([
      201,
      {
        hosting_account_id: accountId,
        hosting_account: { id: accountId, username: `cron${serial}` },
        name: 'Nightly',
        schedule: '0 3 * * sun',
        command: job.command,
        enabled: true,
        synced: true,
      },
    ]);
    expect(onNode()).toEqual([
      { cron_job_id: body.data.id, schedule: '0 3 * * sun', command: job.command, enabled: true },
    ]);
  });

  it('makes a name up where none is sent', async () => {
    expect((await add()).body.data.name).toMatch(/^cron-[a-z0-9]{6}$/);
  });

  it.each([
    'php artisan schedule:run > /dev/null',
    "date '+%F' >> ~/log 2>/dev/null",
    'curl -fsS "https://a.example/?key=$KEY"',
    `echo ${'ü'.repeat(1_990)}`,
  ])('takes %.60j as it is', async (command) => {
    const { status, body } = await add({ command });
    expect([status, body.data.command]).toEqual([201, command]);
    expect(onNode()?.[0]?.command).toBe(command);
  });

  it('is refused beyond the account’s limit', async () => {
    for (const _ of [1, 2, 3]) expect((await add()).status).toBe(201);
    const { status, body } = await add();
    expect([status, body]).toEqual([422, { error: 'Cron job limit reached (3).' }]);
  });

  it('is refused for an account that is not there or another’s', async () => {
    for (const hosting_account_id of [4_242, -1, 0]) {
      const { status, body } = await add({ hosting_account_id });
      expect([status, body], String(hosting_account_id)).toEqual([404, { message: 'Not found.' }]);
    }
    expect((await add({ command: 'a; b' }, rig.resellerToken)).status).toBe(404);
  });

  it.each(refused)('refuses %s %.30j', async (field, value, sentence) => {
    const { status, body } = await add({ [field]: value });
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    expect(body.errors[field]).toContain(sentence);
  });
});

describe('changing a cron job', () => {
  it('answers once the node has it; what is left out stays', async () => {
    const { id } = (await add({ name: 'Nightly' })).body.data;
    const { status, body } = await change(id, { schedule: '@Daily', enabled: '0' });
    expect([status, body.data]).toMatchObject([
      200,
      { id, name: 'Nightly', schedule: '@daily', command: job.command, enabled: false, synced: true },
    ]);
    expect(onNode()).toEqual([{ cron_job_id: id, schedule: '@daily', command: job.command, enabled: false }]);
    expect((await change(id, { name: 'Daily' })).body.data).toMatchObject({ name: 'Daily', enabled: false });
    expect((await change(id, { enabled: true })).body.data).toMatchObject({ name: 'Daily', enabled: true });
  });

  it('is committed when the node cannot, and says so', async () => {
    const { id } = (await add()).body.data;
    rig.node.behaviour.fail = () => 'permanently';
    try {
      const { status, body } = await change(id, { command: 'php other.php' });
      expect([status, body.data]).toMatchObject([200, { command: 'php other.php', synced: false }]);
    } finally {
      rig.node.behaviour.fail = () => undefined;
    }
  });

  it.each([...refused, ['enabled', 'true', 'The enabled field must be true or false.']] as typeof refused)(
    'refuses %s %.30j',
    async (field, value, sentence) => {
      const { id } = (await add()).body.data;
      const { status, body } = await change(id, { [field]: value });
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
      expect(body.errors[field]).toContain(sentence);
    },
  );
});

describe('listing cron jobs', () => {
  it('is of one account or of all, and of nobody else’s', async () => {
    const { id } = (await add()).body.data;
    const list = (query: string, token = rig.adminToken) => rig.ask('listCronJobs', { query, token });
    const one = (await list(`hosting_account_id=${accountId}`)).body;
    expect([one.total, one.per_page, one.data[0].id]).toEqual([1, 25, id]);
    expect(one.data[0]).not.toHaveProperty('hosting_account');
    expect((await list('')).body.total).toBeGreaterThan(1);
    expect((await list('', rig.resellerToken)).body.total).toBe(0);
    expect((await list(`hosting_account_id=${accountId}`, rig.resellerToken)).status).toBe(404);
    expect((await list('hosting_account_id=4242')).status).toBe(404);
  });
});

describe('removing a cron job', () => {
  it('takes it from the node before the answer comes, and it is not there any more', async () => {
    const [one, other] = [(await add()).body.data.id, (await add()).body.data.id];
    const { status, body } = await rig.ask('removeCronJob', { id: one });
    expect([status, body]).toEqual([200, { message: 'Cron job removed' }]);
    expect(onNode()?.map(({ cron_job_id }) => cron_job_id)).toEqual([other]);
    for (const name of ['getCronJob', 'removeCronJob'] as const)
      expect((await rig.ask(name, { id: one })).status, name).toBe(404);
    expect((await change(one, { command: '' })).status).toBe(404);
  });

  it('of another is not there', async () => {
    const { id } = (await add()).body.data;
    const token = rig.resellerToken;
    for (const name of ['getCronJob', 'removeCronJob'] as const)
      expect((await rig.ask(name, { id, token })).status, name).toBe(404);
    expect((await change(id, {}, token)).status).toBe(404);
    expect((await rig.ask('getCronJob', { id })).body.data.id).toBe(id);
  });
});

it('an account that is being terminated takes no write', async () => {
  const { id } = (await add()).body.data;
  const tell = rig.node.behaviour.tell;
  rig.node.behaviour.tell = () => undefined;
  try {
    await rig.ask('terminateAccount', { id: accountId });
    for (const work of [() => add(), () => change(id), () => rig.ask('removeCronJob', { id })]) {
      const { status, body } = await work();
      expect([status, body]).toEqual([422, { error: 'This account is being terminated.' }]);
    }
  } finally {
    rig.node.behaviour.tell = tell;
  }
});
