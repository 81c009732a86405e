import type { en } from './en.ts';

export const de: typeof en = {
  title: 'Formular noch einmal senden?',
  ended: 'Ihre Sitzung war beendet, als Sie dieses Formular gesendet haben. Es wurde noch nichts geändert.',
  kept: 'Ihre Eingaben sind noch da, außer Passwörtern.',
  send: 'Formular senden',
  cancel: 'Abbrechen',
  signIn: 'Ihre Sitzung ist beendet. Melden Sie sich an, dann können Sie das Formular senden.',
  tooLarge:
    'Ihre Sitzung ist beendet. Das Formular war zu groß, um es aufzuheben. Melden Sie sich an und füllen Sie es erneut aus.',
};
