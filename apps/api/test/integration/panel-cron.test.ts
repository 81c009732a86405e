import { beforeAll, beforeEach, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';
import { type Customer, newCustomer } from './customer.ts';
import { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
let customer: Customer;
beforeAll(async () => {
  await rig.db
    .updateTable('packages')
    .set({ max_cron_jobs: 2 })
    .where('id', '=', rig.packages.large)
    .execute();
});
beforeEach(async () => {
  customer = await newCustomer(rig);
});

const onNode = () => rig.node.accounts.get(customer.accountId)?.cron_jobs;
const send = (path: string, fields: Record<string, string> = {}) => customer.visitor.send(path, fields);
const job = { name: 'Nightly', common: '', schedule: '30 4 * * 1', command: 'php cron.php' };

async function add(fields: Record<string, string> = {}): Promise<string> {
  await customer.visitor.open('/cron/new');
  const { path } = await send('/cron', { ...job, ...fields });
  if (!/^\/cron\/\d+$/.test(path)) throw new Error(`The job was refused: ${customer.visitor.page.text}`);
  return path;
}

it('an empty list shows how to add a job, and the limit', async () => {
  const { text, html } = await customer.visitor.open('/cron');
  expect(text).toContain('There is no scheduled task yet.');
  expect(text).toContain('0 of 2');
  expect(html).toContain('href="/cron/new"');
});

it('the node gets a new job, and its page shows the schedule in words and the next three runs', async () => {
  const path = await add();
  const { text, html } = customer.visitor.page;
  expect(text).toContain('The scheduled task Nightly was added.');
  expect(text).toContain('At 04:30, only on Monday.');
  expect(text).toContain('(server time, Europe/Berlin)');
  expect([...html.matchAll(/<li><time datetime="([^"]+)">Mon/g)]).toHaveLength(3);
  expect(text).toMatch(/Mon,? \d{1,2} \w{3,4} \d{4}(?:,| at) 04:30/);
  expect(onNode()).toEqual([
    { cron_job_id: Number(path.slice(6)), schedule: '30 4 * * 1', command: 'php cron.php', enabled: true },
  ]);
  const list = await customer.visitor.open('/cron');
  expect(list.text).toContain('At 04:30, only on Monday');
  expect(list.html).toContain(`href="${path}"`);
});

it('a page beyond the end of the list leads to its last page', async () => {
  const path = await add();
  const list = await customer.visitor.open('/cron?page=9');
  expect(list.path).toBe('/cron');
  expect(list.html).toContain(`href="${path}"`);
});

it('a common schedule overrides a typed one', async () => {
  await add({ common: '*/15 * * * *', schedule: 'nonsense' });
  expect(customer.visitor.page.text).toContain('Every 15 minutes.');
  expect(onNode()?.[0]?.schedule).toBe('*/15 * * * *');
});

it('a refused form has each error at its field, and keeps the input', async () => {
  await customer.visitor.open('/cron/new');
  const refused = await send('/cron', { ...job, schedule: '61 * * * *', command: 'a; b' });
  expect(refused).toMatchObject({ status: 422, path: '/cron' });
  expect(refused.errorAt('schedule')).toBe('Schedule must be a valid cron expression.');
  expect(refused.errorAt('command')).toContain('Command must not contain');
  expect(refused.html).toContain('value="a; b"');
  expect(refused.html).toContain('value="61 * * * *"');
  const command = await send('/cron', { ...job, command: '' });
  expect(command.text).toContain('Command is required.');
  expect(command.text, 'the schedule is said all the same').toContain('At 04:30, only on Monday.');
  expect(onNode() ?? []).toEqual([]);
});

it('a job is changed, disabled, enabled and removed', async () => {
  const path = await add();
  const changed = await send(path, { ...job, schedule: '@daily', command: 'php other.php' });
  expect(changed).toMatchObject({ status: 200, path });
  expect(changed.text).toContain('The scheduled task Nightly was changed.');
  expect(onNode()).toMatchObject([{ schedule: '@daily', command: 'php other.php', enabled: true }]);
  const refused = await send(path, { ...job, command: 'sudo ls' });
  expect(refused).toMatchObject({ status: 422 });
  expect(refused.text).toContain('Command must not run su or sudo.');

  await send(`${path}/disable`);
  expect(customer.visitor.page.text).toContain('The job is disabled. It does not run until you enable it.');
  expect(onNode()).toMatchObject([{ schedule: '@daily', command: 'php other.php', enabled: false }]);
  await send(`${path}/enable`);
  expect(onNode()).toMatchObject([{ enabled: true }]);

  const gone = await send(`${path}/remove`);
  expect(gone).toMatchObject({ status: 200, path: '/cron' });
  expect(gone.text).toContain('The scheduled task was removed.');
  expect(onNode()).toEqual([]);
  expect((await customer.visitor.open(path)).status).toBe(404);
});

it('the page says that the limit is reached, and the form is refused', async () => {
  await add();
  await add();
  const list = await customer.visitor.open('/cron');
  expect(list.text).toContain('2 of 2');
  expect(list.html).not.toContain('href="/cron/new"');
  expect((await customer.visitor.open('/cron/new')).html).not.toContain('name="command"');
  const refused = await send('/cron', job);
  expect(refused).toMatchObject({ status: 422 });
  expect(refused.text).toContain('Limit of scheduled tasks reached (2).');
});

it('the page says that a change is not applied yet, and refreshes itself', async () => {
  const path = await add();
  rig.node.behaviour.tell = () => undefined;
  const { text, html } = await send(`${path}/disable`);
  expect(text).toContain('The server is applying the last change.');
  expect(html).toContain(`data-live="${path}"`);
});

it('the preview describes the typed schedule, and is empty for an invalid one', async () => {
  const preview = async (query: Record<string, string>) =>
    (await customer.visitor.open(`/cron/preview?${new URLSearchParams(query)}`)).text;
  expect(await preview({ common: '', schedule: '*/5 * * * *' })).toContain('Every 5 minutes.');
  expect(await preview({ common: '0 * * * *', schedule: 'x' })).toContain('Every hour.');
  expect(await preview({ schedule: '0 0 31 2 *' })).toContain('the job would never run');
  expect(await preview({ schedule: '61 * * * *' })).toBe('');
  expect(await preview({})).toBe('');
});

it('the page shows no next runs before the server has reported its time zone', async () => {
  const path = await add();
  const setZone = (time_zone: string | null) => rig.db.updateTable('nodes').set({ time_zone }).execute();
  await setZone(null);
  try {
    expect((await customer.visitor.open(path)).text).toContain('when the server has reported its time zone');
    expect((await customer.visitor.open('/cron')).text).toContain('not known yet');
  } finally {
    await setZone('Europe/Berlin');
  }
});

it('another account’s job gets 404 on every page and form; operators and visitors have no such page', async () => {
  const path = await add();
  const other = await newCustomer(rig);
  await other.visitor.open('/cron');
  for (const act of ['', '/enable', '/disable', '/remove'])
    expect([act, (await other.visitor.send(`${path}${act}`, job)).status]).toEqual([act, 404]);
  expect((await other.visitor.open(path)).status).toBe(404);
  expect(onNode()).toHaveLength(1);
  const visitor = new PageVisitor(rig.origin);
  expect((await visitor.open('/cron')).path).toBe('/login?next=%2Fcron');
  await visitor.signIn('acme', 'correct horse battery');
  expect((await visitor.open('/cron')).status).toBe(404);
  await customer.visitor.open('/cron');
  expect((await customer.visitor.open('/cron/0x1')).status).toBe(404);
});
