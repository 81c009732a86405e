import type { en } from './en.ts';

export const de: typeof en = {
  resellers: 'Wiederverkäufer',
  title: 'Zugang und Kontakt',
  suspended: 'Gesperrt',
  suspendedNotice:
    'Dieser Reseller ist gesperrt: Er kann sich nicht anmelden, und seine Tokens gelten nicht.',
  contact: 'Kontakt',
  name: 'Ansprechpartner',
  email: 'E-Mail-Adresse',
  save: 'Speichern',
  saved: (username) => `Name und E-Mail-Adresse von ${username} wurden gespeichert.`,
  password: 'Neues Passwort',
  passwordHint: 'Der Reseller meldet sich damit an. Alle seine Sitzungen enden.',
  setPassword: 'Passwort setzen',
  passwordSet: (username) => `Das Passwort von ${username} wurde gesetzt.`,
  suspension: 'Sperrung',
  suspend: 'Sperren',
  suspendAll: 'Reseller und seine Konten sperren',
  consequence:
    'Der Reseller wird sofort abgemeldet, und seine Tokens gelten nicht mehr. Seine aktiven Konten werden im Hintergrund gesperrt: Ihre Websites zeigen einen Hinweis.',
  suspendedNow: (username) => `${username} ist gesperrt.`,
  unsuspend: 'Reseller und seine Konten entsperren',
  unsuspendHint:
    'Die Konten, die mit dem Reseller gesperrt wurden, kommen zurück. Konten, die vorher oder einzeln gesperrt wurden, bleiben gesperrt.',
  unsuspendedNow: (username) => `${username} kann sich wieder anmelden.`,
};
