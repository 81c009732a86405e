import type { en } from './en.ts';

export const de: typeof en = {
  title: 'FTP und SSH',
  logIn: 'SSH-Zugang des Kontos',
  notAllowed:
    'Dieses Konto hat keinen Terminalzugang, deshalb kann sich niemand über SSH oder SFTP anmelden. Ihr Anbieter kann das ändern. Die Schlüssel gelten, sobald es ihn hat.',
  command: 'SSH-Befehl',
  sftp: 'SFTP-Adresse',
  password: (link) => [
    'Melden Sie sich mit einem Schlüssel dieser Seite an oder mit dem Passwort dieses Kontos: ',
    link,
  ],
  passwordLink: 'Passwort und Sicherheit',
  keys: 'Öffentliche Schlüssel',
  name: 'Name',
  type: 'Art',
  fingerprint: 'Fingerabdruck',
  added: 'Hinzugefügt',
  none: 'Es gibt noch keinen Schlüssel. Ein Schlüssel ist sicherer als ein Passwort, und Programme können ihn verwenden.',
  remove: 'Entfernen',
  removeNow: (name) => `${name} entfernen`,
  removeWarning:
    'Danach kann sich niemand mehr mit diesem Schlüssel anmelden. Offene Sitzungen bleiben offen. Schlüssel in der Datei .ssh/authorized_keys des Home-Verzeichnisses sind davon nicht betroffen.',
  addOne: 'Schlüssel hinzufügen',
  publicKey: 'Öffentlicher Schlüssel',
  publicKeyHint: (example) => [
    'Eine Zeile aus einer .pub-Datei, zum Beispiel ~/.ssh/id_ed25519.pub. So erzeugen Sie ein Schlüsselpaar: ',
    example,
  ],
  nameHint: 'Damit Sie ihn wiedererkennen. Vorgabe: der Kommentar am Ende des Schlüssels.',
  add: 'Schlüssel hinzufügen',
  full: (limit) => `Das Konto hat ${limit} Schlüssel, mehr sind nicht möglich. Entfernen Sie zuerst einen.`,
  wasAdded: (name) => `Der Schlüssel ${name} wurde hinzugefügt.`,
  wasRemoved: (name) => `Der Schlüssel ${name} wurde entfernt.`,
};
