import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AccountSpec, AppSpec } from '@innkeeper/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeServer } from '../../test/fake-host.ts';
import { nodeApp, specOf } from '../../test/specs.ts';
import * as place from '../node/app-paths.ts';
import { Changes } from '../node/changes.ts';
import { Exec, type Program, type RunOptions } from '../node/exec.ts';
import { createObserveAsUsers } from '../node/observe-as-users.ts';
import { NodeSystemd } from '../node/systemd.ts';
import type { CallSystemd } from '../node/systemd-manager.ts';
import { AppPrograms } from './apps/programs/programs.ts';
import { programsDriver } from './apps/programs/programs-driver.ts';
import { AppFolders, appFolderOf } from './apps/releases/app-files.ts';
import { linkOf } from './apps/releases/app-view.ts';
import { releasesDriver } from './apps/releases/releases-driver.ts';
import { appSettingsDriver } from './apps/settings/app-settings-driver.ts';
import { DATABASE_SETTINGS, databaseSettings } from './apps/task/wordpress-config.ts';
import { ownerOf } from './claim.ts';
import { homeDriver } from './home/home-driver.ts';
import { HomeFolders } from './home/homes.ts';
import type { Host } from './host.ts';

const WEB = 33;
let base: string;

/** A systemd in which every unit runs. */
const allRunning: CallSystemd = async (calls) => {
  // An answer takes some time.
  await new Promise(setImmediate);
  return calls.map(({ member, values }) => {
    if (member === 'Get') return { values: [1_795_440_060_818_706] };
    const names = values[0] as readonly string[];
    return { values: [names.map((name) => [name, '', '', 'active', 'running', '', '', 0, '', ''])] };
  });
};

/** Runs programs and records each run. A connection to systemd counts as a program. */
class NotingExec extends Exec {
  readonly runs: { readonly program: Program | 'systemd'; readonly args: readonly string[] }[] = [];

  readonly callSystemd: CallSystemd = (calls, options) => {
    const args = calls.map(({ path, values }) => `${path} ${values}`);
    this.runs.push({ program: 'systemd', args });
    return allRunning(calls, options);
  };

  override async run(program: Program, args: readonly string[], options: RunOptions = {}) {
    this.runs.push({ program, args });
    return await super.run(program, args, options);
  }
}

let lastAccount = 0;

/** An account with the given number of apps of each sort, all in place. */
function accountWith(appsOfASort: number): AccountSpec {
  lastAccount += 1;
  const database = { db_name: `acct${lastAccount}_blog`, password: 'a1'.repeat(12) };
  const apps = Array.from({ length: appsOfASort }, (_, at): AppSpec[] => {
    const id = lastAccount * 1_000 + at * 3;
    const plain = { node_version: null, start_command: '' };
    return [
      nodeApp(id),
      nodeApp(id + 1, { ...plain, runtime: 'static', template_key: 'static' }),
      nodeApp(id + 2, {
        ...plain,
        runtime: 'php',
        template_key: 'wordpress',
        installer: 'wordpress',
        database_id: 1,
      }),
    ];
  });
  const account = specOf({
    account_id: lastAccount,
    uid: 20_000 + lastAccount,
    linux_user: `acct${lastAccount}`,
    databases: [
      { ...database, database_id: 1, password_revision: 1, allowed_ips: [], desired_state: 'active' },
    ],
    apps: apps.flat(),
  });
  makeHome(account, databaseSettings({ name: database.db_name, password: database.password }));
  return account;
}

/** Root-owned except for the home itself: the account can read it. */
function makeHome(account: AccountSpec, settings: string): void {
  const home = join(base, account.linux_user);
  const folder = (path: string) => void mkdirSync(join(home, path), { recursive: true });
  folder('logs');
  folder('.php/sessions');
  folder('.php/tmp');
  for (const { name } of account.domains) folder(`domains/${name}/public_html`);
  for (const app of account.apps) {
    const at = appFolderOf(app.app_id);
    folder(place.releaseFolder(at, '0'));
    folder(place.notesFolder(at));
    writeFileSync(join(home, place.readyNote(at, '0')), '');
    symlinkSync(place.currentTarget('0'), join(home, place.currentLink(at)));
    const link = linkOf(account, app);
    if (link !== null) {
      folder(dirname(link));
      symlinkSync(place.linkTarget(at, link), join(home, link));
    }
    if (app.installer === 'wordpress') writeFileSync(join(home, at, DATABASE_SETTINGS), settings);
  }
  chownSync(home, account.uid, WEB);
  chmodSync(home, 0o750);
}

/** Observes all of the accounts concurrently and returns the programs that were run. */
async function lookAt(accounts: readonly AccountSpec[]): Promise<NotingExec['runs']> {
  const changes = new Changes();
  const exec = new NotingExec(changes);
  const observe = createObserveAsUsers(exec);
  const systemd = new NodeSystemd(exec, changes, exec.callSystemd);
  const host: Host = {
    ...new FakeServer().host(changes),
    systemd,
    homes: new HomeFolders(exec, observe, changes, WEB, '/none', base),
    appFiles: new AppFolders(exec, observe, '/none', base),
    programs: new AppPrograms(exec, observe, systemd, changes, WEB, base),
  };
  for (const account of accounts) await host.tmp.make(ownerOf(account));
  for (const account of accounts)
    for (const app of account.apps)
      await host.appRecords.put(ownerOf(account), {
        appId: app.app_id,
        link: linkOf(account, app),
        task: null,
        failure: null,
      });
  await Promise.all(accounts.map((account) => expectInPlace(account, host)));
  return exec.runs;
}

async function expectInPlace(account: AccountSpec, host: Host): Promise<void> {
  expect(homeDriver.plan(account, await homeDriver.observe(account, host))).toEqual([]);
  expect(appSettingsDriver.plan(account, await appSettingsDriver.observe(account, host))).toEqual([]);
  expect(releasesDriver.plan(account, await releasesDriver.observe(account, host))).toEqual([]);
  const { programs, releases } = await programsDriver.observe(account, host);
  const nodeApps = account.apps.filter(({ runtime }) => runtime === 'nodejs').map(({ app_id }) => app_id);
  const activities = programs.map(({ appId, activity }) => [appId, activity]);
  expect(activities).toEqual(nodeApps.map((appId) => [appId, 'running']));
  const folders = nodeApps.map((appId) => [
    appId,
    join(base, account.linux_user, `apps/${appId}/releases/0`),
  ]);
  expect([...releases]).toEqual(folders);
}

const programsOf = (runs: NotingExec['runs']) => runs.map(({ program }) => program).sort();

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'looks-'));
  chmodSync(base, 0o755);
});

afterAll(() => rmSync(base, { recursive: true }));

test('observing twenty apps of each kind runs as many programs as one app', async () => {
  const ofOne = programsOf(await lookAt([accountWith(1)]));
  expect(programsOf(await lookAt([accountWith(20)]))).toEqual(ofOne);
});

test('observing fifty accounts together runs no program per account', async () => {
  const runs = await lookAt(Array.from({ length: 50 }, () => accountWith(1)));
  expect(runs.filter(({ args }) => args.some((arg) => /^20\d{3}$/.test(arg)))).toEqual([]);
  // The first caller runs alone and the others share runs: the number of groups depends on timing, not on the number of
  // accounts.
  expect(runs.length).toBeLessThan(40);
});
