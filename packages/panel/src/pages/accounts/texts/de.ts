import type { en } from './en.ts';

export const de: typeof en = {
  accounts: 'Konten',
  edit: 'Name und E-Mail',
  title: (username) => `Name und E-Mail von ${username}`,
  name: 'Ansprechpartner',
  email: 'E-Mail-Adresse',
  emailHint: 'E-Mails zum Konto gehen dorthin. Links, die an die frühere Adresse gingen, gelten nicht mehr.',
  save: 'Speichern',
  saved: 'Name und E-Mail-Adresse wurden gespeichert.',
};
