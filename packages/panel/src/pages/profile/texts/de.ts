import type { en } from './en.ts';

export const de: typeof en = {
  title: 'Name und E-Mail',
  security: 'Sicherheit',
  you: 'Sie',
  name: 'Ihr Name',
  email: 'E-Mail-Adresse',
  emailHint:
    'E-Mails an Sie gehen an diese Adresse, auch der Link für ein vergessenes Passwort. Vor einer Änderung fragt das Panel nach Ihrem Passwort.',
  save: 'Speichern',
  saved: 'Ihr Name und Ihre E-Mail-Adresse wurden gespeichert.',
  asOperator:
    'Sie sind als dieser Kunde angemeldet. Nur der Kunde selbst kann Namen und E-Mail-Adresse hier ändern.',
};
