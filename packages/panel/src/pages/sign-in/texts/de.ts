import type { en } from './en.ts';

export const de: typeof en = {
  signIn: 'Anmelden',
  username: 'Benutzername',
  password: 'Passwort',
  forgot: 'Passwort vergessen?',
  twoFactor: 'Zwei-Faktor-Anmeldung',
  continue: 'Weiter',
  timedOut: 'Die Anmeldung hat zu lange gedauert. Melden Sie sich erneut an.',
  signedOut: 'Sie sind abgemeldet.',
  continueQuestion: (username) => `Weiter als ${username}?`,
  continueAs: (username) => `Weiter als ${username}`,
  changesUser: (current, username) =>
    `Dieser Browser ist als ${current} angemeldet. Dieser Link meldet ihn stattdessen als ${username} an. Wenn Sie das nicht erwartet haben, verlassen Sie diese Seite.`,
  goHome: 'Zur Startseite',
  stayAs: (current) => `Als ${current} angemeldet bleiben`,
};
