import { get } from 'node:http';
import { type Installation, requireInnctl } from '@innkeeper/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserVisitor, type PanelBrowser, startBrowser } from './browser.ts';
import { useInstallation } from './installation.ts';

/**
 * The panel as people have it: in a browser, in front of a hosting server on which all that they do becomes real.
 * The cases build on each other.
 */
const OPERATOR = 'panel-operator';
const PASSWORD = 'correct horse battery';
const FIRST_PAGE_BYTES = 60_000;

let installation: Installation;
let origin = '';
let browser: PanelBrowser;
let operator: BrowserVisitor;

beforeAll(async () => {
  installation = await useInstallation();
  origin = `http://${installation.boxes.network.hostAddress}:${installation.ports.http}`;
  browser = await startBrowser([origin]);
  operator = await browser.visitor();
  const argv = ['admin', 'create', '--username', OPERATOR, '--email', `${OPERATOR}@example.com`];
  await requireInnctl(installation.innctl, [...argv, '--password-file', '-'], PASSWORD);
});

afterAll(async () => {
  await browser?.stop();
});

/** Bytes of an answer's body on the wire. */
async function bytesOf(path: string, cookie: string): Promise<{ bytes: number; text: string }> {
  return await new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip', cookie };
    get(new URL(path, origin), { headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const body = Buffer.concat(chunks);
        resolve({ bytes: body.length, text: body.toString('utf8') });
      });
    }).on('error', reject);
  });
}

/** Everything that a browser needs for a page is named by the page itself. Gives its bytes on the wire. */
async function weigh(visitor: BrowserVisitor, path: string): Promise<number> {
  const asked: string[] = [];
  const note = (request: { url(): string }) => asked.push(new URL(request.url()).pathname);
  visitor.page.on('request', note);
  await visitor.open(path);
  visitor.page.off('request', note);
  const cookies = await visitor.page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const { bytes, text } = await bytesOf(path, cookie);
  const named = [...text.matchAll(/ (?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1] ?? '');
  expect([path, ...named]).toEqual(expect.arrayContaining(asked));
  const weights = await Promise.all(named.map(async (asset) => (await bytesOf(asset, '')).bytes));
  return weights.reduce((sum, weight) => sum + weight, bytes);
}

describe('the door', () => {
  it('is made well, and light', async () => {
    expect(await weigh(operator, '/login')).toBeLessThan(FIRST_PAGE_BYTES);
    await operator.inspect('login');
  });

  it('says what is wrong, and lets an operator in', async () => {
    const { page } = operator;
    await operator.open('/');
    await page.getByLabel('Username').fill(OPERATOR);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').first().waitFor();
    await operator.inspect('login-refused');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    operator.requireNoFault();
  });
});
