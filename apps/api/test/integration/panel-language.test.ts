import { beforeAll, describe, expect, it } from 'vitest';
import { CUSTOMER_PASSWORD, useControlPlaneRig } from './control-plane-rig.ts';
import { type Customer, newCustomer, signedIn } from './customer.ts';
import { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
const english = { lang: '<html lang="en">', navigation: 'Databases' };
const german = { lang: '<html lang="de">', navigation: 'Datenbanken' };

describe('the language of a page', () => {
  it.each([
    ['no language', '', english],
    ['German', 'de', german],
    ['German of Austria, then English', 'de-AT,de;q=0.9,en;q=0.8', german],
    ['English, then German', 'en-US,en;q=0.9,de;q=0.5', english],
    ['French, then German', 'fr;q=0.9,de;q=0.5', german],
    ['a refused German', 'de;q=0, fr', english],
    ['French', 'fr-FR,fr', english],
    ['nonsense', ';;,=q,,<de>', english],
  ])('a browser that prefers %s gets it, or English', async (_name, accepted, expected) => {
    const { visitor } = await newCustomer(rig);
    const headers: Record<string, string> = accepted === '' ? {} : { 'Accept-Language': accepted };
    const { html, headers: answer } = await visitor.open('/', headers);
    expect(html).toContain(expected.lang);
    expect(html).toContain(expected.navigation);
    expect(answer.get('Vary')).toContain('Accept-Language');
  });

  it.each([
    ['/', 'Übersicht'],
    ['/sites', 'Websites'],
    ['/sites/new', 'Neue Website'],
    ['/apps', 'Apps'],
    ['/apps/new', 'App installieren'],
    ['/databases', 'Datenbanken'],
    ['/cron', 'Cronjobs'],
    ['/cron/new', 'Cronjob anlegen'],
    ['/security', 'Sicherheit'],
    ['/security/two-factor', 'Zwei-Faktor-Anmeldung einrichten'],
  ])('%s has the German heading %s', async (path, heading) => {
    const { visitor } = await newCustomer(rig);
    const { html } = await visitor.open(path, { 'Accept-Language': 'de' });
    expect(html).toContain(`<h1>${heading}</h1>`);
  });

  it('the user’s choice is kept in the browser, and taken back', async () => {
    const { visitor } = await newCustomer(rig);
    const inEnglish = { 'Accept-Language': 'en' };
    const chosen = await visitor.send('/language', { language: 'de', back: '/security' }, inEnglish);
    expect(chosen.path).toBe('/security');
    expect((await visitor.open('/', inEnglish)).html).toContain(german.lang);
    await visitor.send('/language', { language: 'browser', back: '/' });
    expect((await visitor.open('/', inEnglish)).html).toContain(english.lang);
  });

  it('an unknown choice follows the browser, and the form returns to no other host', async () => {
    const { visitor } = await newCustomer(rig);
    const unknown = await visitor.send('/language', { language: 'constructor', back: '//evil.example' });
    expect(unknown.path).toBe('/');
    expect([...visitor.cookies.keys()].filter((name) => name.endsWith('language'))).toEqual([]);
    expect(unknown.html).toContain(english.lang);
  });

  it('concurrent answers have each their own language', async () => {
    const { visitor } = await newCustomer(rig);
    const asked = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 'de' : 'en'));
    const session = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const languages = await Promise.all(
      asked.map(async (language) => {
        const headers = { 'Accept-Language': language, Cookie: session };
        const html = await (await fetch(new URL('/sites', rig.origin), { headers })).text();
        return html.includes('Datenbanken') && html.includes(german.lang) ? 'de' : 'en';
      }),
    );
    expect(languages).toEqual(asked);
  });
});

describe('before the sign-in', () => {
  it.each(['/login', '/login?next=%2Fdatabases'])('a visitor chooses the language on %s', async (path) => {
    const { username } = await rig.createAccount();
    const visitor = new PageVisitor(rig.origin, { 'X-Forwarded-For': '198.51.100.7' });
    const shown = await visitor.open(path, { 'Accept-Language': 'en' });
    expect(shown.html).toContain(english.lang);
    expect(shown.html).toContain('<h1>Sign in</h1>');
    const back = /name="back" value="([^"]*)"/.exec(shown.html)?.[1] ?? '';
    const chosen = await visitor.send('/language', { language: 'de', back });
    expect(chosen).toMatchObject({ status: 200, path });
    expect(chosen.html).toContain(german.lang);
    expect(chosen.html).toContain('<h1>Anmelden</h1>');
    expect(chosen.text).toContain('Benutzername');
    expect(chosen.text).toContain('Passwort vergessen?');
    expect(chosen.html).toMatch(/value="de" lang="de" aria-pressed="true"/);
    const entered = await visitor.send(path, { username, password: CUSTOMER_PASSWORD });
    expect(entered.path).toBe(path === '/login' ? '/' : '/databases');
    expect(entered.html).toContain(german.navigation);
    const signedOut = await visitor.send('/logout');
    expect(signedOut).toMatchObject({ status: 200, path: '/login' });
    expect(signedOut.text).toContain('Sie sind abgemeldet.');
  });

  it('a browser that prefers German gets the sign-in page in German, without a choice', async () => {
    const visitor = new PageVisitor(rig.origin);
    const { html } = await visitor.open('/login', { 'Accept-Language': 'de' });
    expect(html).toContain('<h1>Anmelden</h1>');
    expect(html).toMatch(/value="browser" aria-pressed="true"/);
  });
});

describe('what a service refuses is in the language of the browser:', () => {
  const inGerman = { 'Accept-Language': 'de' };
  let customer: Customer;

  beforeAll(async () => {
    customer = await newCustomer(rig);
    await customer.visitor.open('/', inGerman);
  });

  it.each([
    ['/cron', { name: 'x', schedule: '* * * * *', command: '' }, 'command', '„Befehl“ darf nicht leer sein.'],
    [
      '/cron',
      { name: 'x', schedule: 'x', command: 'true' },
      'schedule',
      'muss ein gültiger Cron-Ausdruck sein.',
    ],
    ['/cron', { name: 'x', schedule: '* * * * *', command: 'sudo id' }, 'command', 'darf su und sudo nicht'],
    ['/ftp', { suffix: 'web', folder: '../etc', password: 'x' }, 'folder', '„Ordner“ muss ein Ordner sein'],
    ['/ftp', { suffix: 'web', folder: 'a' }, 'password', '„Passwort“ ist nötig'],
    ['/ssh-keys', { name: '', public_key: 'no key' }, 'public_key', '„Öffentlicher Schlüssel“ muss'],
    ['/profile', { name: 'Alice', email: 'nobody' }, 'email', 'muss eine gültige E-Mail-Adresse sein.'],
  ])('%s with %j', async (path, fields, field, sentence) => {
    const refused = await customer.visitor.send(path, fields, inGerman);
    expect(refused.status).toBe(422);
    expect(refused.errorAt(field)).toContain(sentence);
    expect(refused.text).not.toMatch(/\bThe \w+ field\b/);
  });

  it('a limit that belongs to no field', async () => {
    const { visitor, accountId } = customer;
    await rig.db.updateTable('accounts').set({ max_databases: 0 }).where('id', '=', accountId).execute();
    await visitor.open('/databases', inGerman);
    const refused = await visitor.send('/databases', { name: 'shop' }, inGerman);
    expect(refused.text).toContain('Mehr als 0 Datenbanken sind nicht möglich.');
  });
});

it('what a server reports is in the language of the browser', async () => {
  const { visitor, accountId } = await newCustomer(rig);
  const body = { hosting_account_id: accountId, domain_name: 'reported.example.com' };
  const { id } = (await rig.ask('createDomain', { body })).body.data;
  await rig.db
    .updateTable('domains')
    .set({ ssl_status: 'failed', ssl_error: 'The certificate authority refused the order.' })
    .where('id', '=', id)
    .execute();
  const { text } = await visitor.open(`/sites/${id}`, { 'Accept-Language': 'de' });
  expect(text).toContain('Die Zertifizierungsstelle hat den Auftrag abgelehnt.');
});

it('the refusal of a form of another site is in the language of the browser', async () => {
  const { visitor } = await newCustomer(rig);
  const headers = { 'Accept-Language': 'de', 'Sec-Fetch-Site': 'cross-site' };
  const refused = await visitor.send('/theme', { theme: 'dark', back: '/' }, headers);
  expect(refused).toMatchObject({ status: 403 });
  expect(refused.text).toContain('Dieses Formular ist abgelaufen.');
});

it('the API tokens, and the page that asks for the password again, are in the chosen language', async () => {
  const visitor = await signedIn(rig, 'root-admin');
  const shown = await visitor.send('/language', { language: 'de', back: '/security/tokens' });
  expect(shown.html).toContain('<h1>API-Token</h1>');
  expect(shown.text).toContain('kann außerdem Konten, Pakete, Domains, Apps und Datenbanken ändern.');
  const longAgo = new Date(Date.now() - 11 * 60_000);
  await rig.db.updateTable('sessions').set({ proved_at: longAgo }).execute();
  const asked = await visitor.send('/security/tokens', { user: 'root-admin', name: 'Abrechnung' });
  expect(asked).toMatchObject({ status: 403 });
  expect(asked.html).toContain('<h1>Identität bestätigen</h1>');
  expect(asked.text).toContain('Diese Aktion verlangt erneut Ihr Passwort.');
});
