import type { en } from './en.ts';

export const de: typeof en = {
  forgot: 'Passwort vergessen',
  about:
    'Geben Sie Ihren Benutzernamen ein. Wir senden einen Link an die E-Mail-Adresse dieses Benutzers; er setzt ein neues Passwort.',
  username: 'Benutzername',
  send: 'Link senden',
  requested:
    'Wenn es einen Benutzer mit diesem Namen gibt, ist eine E-Mail mit einem Link unterwegs. Der Link gilt einmal, für 30 Minuten.',
  withoutMail:
    'Dieses Panel kann keine E-Mails senden. Wenden Sie sich für ein neues Passwort an Ihren Anbieter.',
  contact: 'Anbieter kontaktieren',
  back: 'Zurück zur Anmeldung',
  newTitle: 'Neues Passwort setzen',
  newFor: (username) => ['Für den Benutzer ', username, '. Alle Browser dieses Benutzers werden abgemeldet.'],
  password: 'Neues Passwort',
  passwordHint: 'Mindestens 8 Zeichen.',
  repeat: 'Neues Passwort wiederholen',
  set: 'Passwort setzen',
  notRepeated: 'Die beiden neuen Passwörter stimmen nicht überein.',
  done: 'Ihr Passwort wurde gesetzt. Melden Sie sich damit an.',
};
