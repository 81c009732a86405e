import type { en } from './en.ts';

export const de: typeof en = {
  formExpired:
    'Dieses Formular ist abgelaufen. Gehen Sie zurück, laden Sie die Seite neu und senden Sie das Formular noch einmal.',
  wrongFields: 'Das Formular enthält falsche Angaben.',
  formTooLarge: 'Dieses Formular ist zu groß.',
  roleNotAllowed: 'Ihre Rolle erlaubt diese Aktion nicht.',
  signInFirst: 'Melden Sie sich zuerst an.',
  customerSessionEnded: 'Die Sitzung als Kunde ist beendet. Sie sind in Ihrem eigenen Panel.',
  customerFormNotSent:
    'Die Sitzung als Kunde ist beendet. Das Formular wurde nicht gesendet und nichts wurde geändert. Sie sind in Ihrem eigenen Panel.',
  proof: 'Identität bestätigen',
  proofCode: 'Code der Zwei-Faktor-Anmeldung',
  proofPassword: 'Ihr Passwort',
  codeAgain:
    'Ihre Anmeldung ist schon eine Weile her. Diese Aktion verlangt erneut einen Code. Danach fragt das Panel 10 Minuten lang nicht mehr.',
  passwordAgain:
    'Ihre Anmeldung ist schon eine Weile her. Diese Aktion verlangt erneut Ihr Passwort. Danach fragt das Panel 10 Minuten lang nicht mehr.',
  confirm: 'Bestätigen und fortfahren',
};
