import type { Child } from 'hono/jsx';
import type { en } from './en.ts';

export const de: typeof en = {
  databases: 'Datenbanken',
  yours: 'Ihre Datenbanken',
  noneYet:
    'Es gibt noch keine Datenbank. Legen Sie unten die erste an. Manche Apps legen ihre Datenbank selbst an.',
  add: 'Datenbank anlegen',
  addIt: 'Datenbank anlegen',
  name: 'Name',
  databaseName: 'Name der Datenbank',
  status: 'Status',
  remoteAccess: 'Fernzugriff',
  added: 'Angelegt',
  nameHint:
    'Die Namen der Datenbank und ihres Benutzers enthalten diesen Namen. Lassen Sie das Feld leer, damit das Panel einen Namen erzeugt.',
  isGone: 'Die Datenbank wurde entfernt.',
  state: 'Zustand',
  remedy:
    'Der Server versucht es selbst erneut. Wenn das Problem bleibt, senden Sie diese Meldung an Ihren Anbieter.',
  moveData: 'Exportieren und importieren',
  exportHint:
    'Eine Datei mit allen Tabellen, Ansichten, Triggern und Routinen (SQL, komprimiert mit gzip). Ihre Site läuft weiter.',
  exportIt: 'Exportieren',
  importIt: 'Datei importieren',
  importFile: 'Datei (.sql oder .sql.gz)',
  importHint: (size: string) =>
    `Höchstens ${size}. Das SQL der Datei wird in dieser Datenbank ausgeführt. Was vor einem Fehler ausgeführt wurde, bleibt: Exportieren Sie vorher.`,
  importing: 'Hochladen',
  wasImported: (name: string) => `Die Datei wurde in ${name} importiert.`,
  connection: 'Verbindung',
  localHost: 'Host für Ihre eigenen Websites und Apps',
  port: 'Port',
  user: 'Benutzer',
  remoteHost: 'Host für den Fernzugriff',
  password: 'Passwort',
  shownOnce: 'Nur diese Seite zeigt das Passwort. Verlassen Sie die Seite, wenn Sie es kopiert haben.',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  resetPassword: 'Passwort zurücksetzen',
  replacePassword: 'Passwort ersetzen',
  resetWarning:
    'Das aktuelle Passwort gilt sofort nicht mehr. Tragen Sie das neue in jedes Programm ein, das diese Datenbank benutzt. WordPress-Apps aus diesem Panel erhalten es automatisch.',
  remoteExplained:
    'Ihre eigenen Websites und Apps können sich immer mit dieser Datenbank verbinden. Andere Computer können das nur von diesen IP-Adressen aus, mit Benutzer und Passwort.',
  noRemote: 'Kein anderer Computer kann sich mit dieser Datenbank verbinden.',
  allowedAddresses: 'Erlaubte Adressen',
  address: 'Adresse',
  remove: 'Entfernen',
  allow: 'Adresse erlauben',
  ipAddress: 'IP-Adresse',
  ipHint:
    'Eine IPv4- oder IPv6-Adresse, zum Beispiel 203.0.113.7 oder 2001:db8::7. Bereiche und Hostnamen sind nicht möglich.',
  removeThis: 'Diese Datenbank entfernen',
  removeIt: 'Datenbank entfernen',
  removeAll: 'Mit allen Daten entfernen',
  newPassword:
    'Die Datenbank hat ein neues Passwort. Tragen Sie es in jedes Programm ein, das die Datenbank benutzt.',
  settingPassword: 'Der Server setzt das neue Passwort der Datenbank.',
  usedBy: 'Verwendet von',
  noApp: 'eigenen Programmen',
  belongsTo: (app: Child): Child => [
    'Diese Datenbank gehört zur App ',
    app,
    '. Sie wird zusammen mit der App entfernt.',
  ],
  titleOf: (name) => `Datenbank ${name}`,
  database: 'Datenbank',
  addresses: (count) => (count === 0 ? 'aus' : count === 1 ? '1 Adresse' : `${count} Adressen`),
  removeAddress: (ip) => `${ip} entfernen`,
  addressesUsed: (used, limit) => `${used} von ${limit} Adressen sind belegt.`,
  removeWarning: (name) =>
    `Der Server löscht alle Tabellen und Daten von ${name} und den Datenbankbenutzer. Das lässt sich nicht rückgängig machen.`,
  wasAdded: (name) => `Die Datenbank ${name} wurde angelegt.`,
  allowOwn: (ip) => `Meine Adresse erlauben (${ip})`,
  canConnect: (ip) => `${ip} kann sich mit dieser Datenbank verbinden.`,
  cannotConnect: (ip) => `${ip} kann sich nicht mehr mit dieser Datenbank verbinden.`,
  wasRemoved: (name) => `Die Datenbank ${name} wurde entfernt.`,
  isBeingRemoved: (name) => `Die Datenbank ${name} wird entfernt.`,
};
