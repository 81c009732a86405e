import type { en } from './en.ts';

export const de: typeof en = {
  title: 'Terminal',
  notAllowed: 'Dieses Konto hat keinen Terminal-Zugang. Ihr Anbieter kann das ändern.',
  needsScript: 'Das Terminal im Browser braucht JavaScript. Sie können sich auch über SSH anmelden:',
  command: 'SSH-Befehl',
  tabs: 'Terminals',
  newTab: 'Neues Terminal',
  tab: 'Terminal',
  closeTab: 'Terminal schließen',
  connecting: 'Verbindung wird aufgebaut …',
  open: 'Verbunden.',
  lost: 'Die Verbindung ist abgebrochen. Sie wird neu aufgebaut …',
  ended: 'Die Sitzung ist beendet.',
  refused: 'Das Terminal konnte nicht geöffnet werden.',
  signedOut: 'Sie sind abgemeldet. Melden Sie sich wieder an; die Sitzung wartet zehn Minuten.',
  hint: 'Kopieren: Strg+Umschalt+C. Einfügen: Strg+Umschalt+V. Nach einer abgebrochenen Verbindung oder einem Neuladen wartet eine Sitzung zehn Minuten. Alle Programme zählen zu den Limits des Kontos.',
};
