import type { en } from './en.ts';

export const de: typeof en = {
  title: 'Suche',
  label: 'Suchen nach',
  results: 'Treffer',
  nothing: 'Kein Treffer. Konten findet man am Anfang von Name, E-Mail-Adresse oder Domain.',
  nothingOfCustomer: 'Kein Treffer.',
  tooShort: 'Geben Sie mindestens zwei Zeichen ein.',
  kinds: {
    account: 'Konto',
    app: 'Anwendung',
    database: 'Datenbank',
    node: 'Hosting-Server',
    package: 'Paket',
    page: 'Seite',
    reseller: 'Wiederverkäufer',
    site: 'Webseite',
  },
};
