import { createHash } from 'node:crypto';
import { createReseller } from '@innkeeper/services';
import { expect, it } from 'vitest';
import { CUSTOMER_PASSWORD, STAFF_PASSWORD, useControlPlaneRig } from './control-plane-rig.ts';
import { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
let serial = 0;

/** A PNG of 16 × 16 transparent pixels. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAEklEQVR42mNgGAWjYBSMAggAAAQQAAGvRYgsAAAAAElFTkSuQmCC',
  'base64',
);
const brand = { name: 'Northgate', color: '#0A7F5C', support_url: 'https://help.northgate.example/' };

/** Each from its own address: sign-ins of one address are limited. */
const visitor = () => {
  serial += 1;
  return new PageVisitor(rig.origin, { 'X-Forwarded-For': `198.51.100.${serial}` });
};
const signedIn = async (username: string, password = STAFF_PASSWORD): Promise<PageVisitor> => {
  const someone = visitor();
  await someone.signIn(username, password);
  return someone;
};
const newReseller = async (username: string): Promise<PageVisitor> => {
  const email = `${username}@example.com`;
  await createReseller(rig.operator, { username, name: username, email, password: STAFF_PASSWORD });
  return await signedIn(username);
};
const titleOf = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1];
const sheetOf = (html: string) => /href="(\/assets\/brand\/[^"]+)"/.exec(html)?.[1];
const logoOf = (html: string) => /src="(\/assets\/logo\/[^"]+)"/.exec(html)?.[1];

it('an admin names the installation: sign-in page, titles, frame, color and support link', async () => {
  const admin = await signedIn('root-admin');
  await admin.open('/branding');
  const saved = await admin.send('/branding', brand);
  expect([saved.status, saved.text]).toEqual([200, expect.stringContaining('The brand was saved.')]);
  expect(titleOf(saved.html)).toBe('Branding · Northgate');

  const stranger = await visitor().open('/login');
  expect(titleOf(stranger.html)).toBe('Sign in · Northgate');
  expect(stranger.text).not.toContain('Innkeeper');
  expect(stranger.html).toContain('href="https://help.northgate.example/"');
  const sheet = await fetch(new URL(sheetOf(stranger.html) ?? '/missing', rig.origin));
  expect([sheet.status, sheet.headers.get('Content-Type')]).toEqual([200, 'text/css; charset=utf-8']);
  expect(sheet.headers.get('Cache-Control')).toContain('immutable');
  expect(await sheet.text()).toMatch(/^:root\{--brand-hue:[\d.]+;--brand-chroma:0\.\d+\}\n$/);
  const other = (sheetOf(stranger.html) ?? '').replace(/-[0-9a-f]{12}/, '-000000000000');
  expect((await fetch(new URL(other, rig.origin))).status).toBe(404);

  const rows = await rig.db.selectFrom('audit_log').selectAll().where('action', '=', 'brand.set').execute();
  expect(rows.map(({ target, details }) => [target, JSON.parse(details).after])).toEqual([
    ['installation', { ...brand, color: '#0a7f5c', host: null }],
  ]);
});

it.each([
  ['name', '', 'Name is required.'],
  ['name', 'x'.repeat(61), 'must have at most 60 characters'],
  ['color', 'red', 'Color must be a color such as #7a3cff.'],
  ['color', '#fff;}*{x:', 'must have at most 7 characters'],
  ['support_url', 'javascript:alert(1)', 'The support link must be'],
  ['support_url', 'data:text/html,x', 'The support link must be'],
  ['support_url', 'https://user:pass@example.com/', 'The support link must be'],
  ['support_url', 'mailto:nobody', 'The support link must be'],
])('the field %s refuses %j', async (field, value, sentence) => {
  const admin = await signedIn('root-admin');
  await admin.open('/branding');
  const refused = await admin.send('/branding', { ...brand, [field]: value });
  expect([refused.status, refused.errorAt(field)]).toEqual([422, expect.stringContaining(sentence)]);
});

it('a logo is served as its own kind, for ever, and can run nothing', async () => {
  const admin = await signedIn('root-admin');
  await admin.open('/branding');
  await admin.send('/branding', brand);
  const file = { field: 'logo', name: 'logo.png', content: PNG };
  expect((await admin.upload('/branding/logo', file)).text).toContain('The logo was saved.');
  const path = logoOf((await visitor().open('/login')).html) ?? '';
  expect(path).toBe(`/assets/logo/${createHash('sha256').update(PNG).digest('hex').slice(0, 32)}`);
  const logo = await fetch(new URL(path, rig.origin));
  expect(Buffer.from(await logo.arrayBuffer())).toEqual(PNG);
  expect(Object.fromEntries(logo.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
    'cache-control': expect.stringContaining('immutable'),
  });
  await admin.open('/branding');
  expect((await admin.send('/branding/logo/remove')).html).not.toContain('/assets/logo/');
  expect((await fetch(new URL(path, rig.origin))).status).toBe(404);
});

it.each([
  [
    'an SVG',
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    'not a PNG, JPEG or WebP',
  ],
  ['a page that is named like an image', '<html><script>alert(1)</script></html>', 'not a PNG, JPEG or WebP'],
  ['no file', '', 'Choose an image.'],
  ['a large file', 'x'.repeat(150_000), 'larger than 100 KiB'],
  ['a much larger file', 'x'.repeat(400_000), 'larger than 100 KiB'],
])('%s is refused as a logo, with the reason', async (_, content, sentence) => {
  const admin = await signedIn('root-admin');
  await admin.open('/branding');
  await admin.send('/branding', brand);
  const file = { field: 'logo', name: 'logo.png', content: Buffer.from(content) };
  const refused = await admin.upload('/branding/logo', file);
  expect([refused.status, refused.errorAt('logo')]).toEqual([422, expect.stringContaining(sentence)]);
});

it('an upload without a valid token changes nothing', async () => {
  const admin = await signedIn('root-admin');
  const body = new FormData();
  body.set('logo', new Blob([new Uint8Array(PNG)]), 'logo.png');
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const url = new URL('/branding/logo?_csrf=0', rig.origin);
  expect((await fetch(url, { method: 'POST', body, headers: { Cookie: cookie } })).status).toBe(403);
});

it('a reseller sets its own brand, which it and its customers see, and nobody else', async () => {
  const admin = await signedIn('root-admin');
  await admin.open('/branding');
  await admin.send('/branding', brand);
  const acme = await signedIn('acme');
  await acme.open('/branding');
  expect(titleOf(acme.page.html)).toBe('Branding · Northgate');
  const saved = await acme.send('/branding', { name: 'Acme <Web>', color: '', support_url: '' });
  expect(titleOf(saved.html)).toBe('Branding · Acme &lt;Web&gt;');
  expect(saved.html).not.toContain('help.northgate.example');

  const username = 'brandedone';
  await rig.createAccount({ username, package_id: rig.packages.small }, rig.resellerToken);
  const customer = await signedIn(username, CUSTOMER_PASSWORD);
  expect(titleOf((await customer.open('/')).html)).toContain('Acme &lt;Web&gt;');
  await rig.createAccount({ username: 'brandedtwo', package_id: rig.packages.small });
  const other = await signedIn('brandedtwo', CUSTOMER_PASSWORD);
  expect(titleOf((await other.open('/')).html)).toContain('Northgate');
  expect(titleOf((await visitor().open('/login')).html)).toContain('Northgate');

  expect((await customer.open('/branding')).status).toBe(404);
  expect((await acme.open('/branding/acme')).status).toBe(404);
  const stranger = await newReseller('strangerone');
  await stranger.open('/branding');
  expect(stranger.page.html).not.toContain('Acme');
  expect((await stranger.send('/branding/acme', { name: 'Taken' })).status).toBe(404);
  expect((await stranger.send('/branding/remove')).status).toBe(200);
  await customer.open('/');
  expect(titleOf(customer.page.html)).toContain('Acme &lt;Web&gt;');

  await acme.open('/branding');
  expect(titleOf((await acme.send('/branding/remove')).html)).toBe('Branding · Northgate');
});

it('the host name decides before the sign-in; only an admin sets it, and not that of the installation', async () => {
  const admin = await signedIn('root-admin');
  await admin.open('/branding');
  await admin.send('/branding', brand);
  const hosted = await newReseller('hostedone');
  await hosted.open('/branding');
  const host = 'panel.hosted.example';
  expect(hosted.page.html).not.toContain('name="host"');
  await hosted.send('/branding', { name: 'Hosted', host });
  const titleAt = async (name: string) => {
    // fetch() does not set Host; a proxy would.
    const { request } = await import('node:http');
    return await new Promise<string | undefined>((resolve, reject) => {
      request(new URL('/login', rig.origin), { headers: { Host: name } }, (answer) => {
        let html = '';
        answer.setEncoding('utf8').on('data', (text: string) => {
          html += text;
        });
        answer.on('end', () => resolve(titleOf(html)));
      })
        .on('error', reject)
        .end();
    });
  };
  expect(await titleAt(host)).toBe('Sign in · Northgate');
  await admin.open('/branding/hostedone');
  const own = await admin.send('/branding/hostedone', { name: 'Hosted', host: 'panel.example.com' });
  expect([own.status, own.errorAt('host')]).toEqual([422, 'This is the host name of the installation.']);
  expect(
    (await admin.send('/branding/hostedone', { name: 'Hosted', host: 'PANEL.hosted.example' })).status,
  ).toBe(200);
  expect(await titleAt(`${host}:8443`)).toBe('Sign in · Hosted');
  expect(await titleAt('elsewhere.example')).toBe('Sign in · Northgate');
  await hosted.open('/branding');
  await hosted.send('/branding', { name: 'Hosted again' });
  expect(await titleAt(host)).toBe('Sign in · Hosted again');

  await newReseller('hostedtwo');
  await admin.open('/branding/hostedtwo');
  const taken = await admin.send('/branding/hostedtwo', { name: 'Thief', host });
  expect([taken.status, taken.errorAt('host')]).toEqual([422, 'Another brand has this host name.']);
});

it('another instance shows a changed brand after at most 5 s', async () => {
  const other = await rig.addInstance();
  const there = () => new PageVisitor(other.origin).open('/login');
  await there();
  const admin = await signedIn('root-admin');
  await admin.open('/branding');
  await admin.send('/branding', { ...brand, name: 'Southgate' });
  await expect
    .poll(async () => titleOf((await there()).html), { timeout: 20_000, interval: 500 })
    .toBe('Sign in · Southgate');
});
