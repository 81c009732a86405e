import type { en } from './en.ts';

export const de: typeof en = {
  resellers: 'Reseller',
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
  makeLink: 'Passwort-Link erstellen',
  linkHint:
    'Oder senden Sie einen Link: Der Reseller legt das Passwort selbst fest, und niemand sonst kennt es.',
  link: 'Passwort-Link',
  linkOf: (username) => `Passwort-Link für ${username}`,
  linkAbout: (username, hours) =>
    `Senden Sie diesen Link an ${username}. Er funktioniert einmal, ${hours} Stunden lang, und wird nicht noch einmal angezeigt. Wer den Link hat, kann sich als ${username} anmelden.`,
  toPool: 'Kontingent festlegen',
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
  missing: 'Diesen Reseller gibt es nicht.',
  all: 'Alle Reseller',
  add: 'Reseller hinzufügen',
  none: 'Es gibt noch keinen Reseller. Ein Reseller meldet sich an diesem Panel an, sieht nur seine eigenen Konten und legt Konten aus einem Kontingent an, das Sie bestimmen.',
  addFirst: 'Den ersten hinzufügen',
  username: 'Benutzername',
  person: 'Name der Person',
  accounts: 'Konten',
  since: 'Seit',
  newReseller: 'Neuer Reseller',
  newPasswordHint:
    'Der Reseller meldet sich damit an diesem Panel an. Lassen Sie es leer für einen Link, mit dem der Reseller es selbst festlegt.',
  added: (username) => `${username} kann sich jetzt anmelden. Legen Sie unten das Kontingent fest.`,
  pool: 'Kontingent',
  ownUsage: 'Nutzung Ihres Kontingents',
  viewAccounts: 'Konten anzeigen',
  usage: 'Nutzung des Kontingents',
  limits: 'Grenzen des Kontingents',
  changePool: 'Kontingent ändern',
  poolHint:
    'Summe der Limits aller Konten des Resellers. Eine Grenze kann nicht kleiner sein als das, was schon vergeben ist.',
  poolChanged: 'Das Kontingent wurde geändert.',
  overselling: 'Überbuchung',
  oversellingHint:
    'Der Reseller kann mehr Speicherplatz, Datenverkehr, CPU und Arbeitsspeicher vergeben, als das Kontingent hat.',
  oversellingOn:
    'Überbuchung ist eingeschaltet: Konten können mehr Speicherplatz, Datenverkehr, CPU und Arbeitsspeicher bekommen, als das Kontingent hat.',
  oversellingOff: 'Überbuchung ist ausgeschaltet.',
  uncapped: (limit, accounts, one) =>
    `${accounts} ${one ? 'Konto hat' : 'Konten haben'} kein Limit, das Kontingent begrenzt sie nicht: ${limit}.`,
  handOver: 'Übergeben oder löschen',
  handOverTitle: (username) => `Die Konten von ${username} übergeben`,
  handOverAbout: (accounts, one) =>
    `${accounts} ${one ? 'Konto bekommt' : 'Konten bekommen'} einen anderen Betreuer. Websites, Pakete und Limits bleiben, wie sie sind.`,
  to: 'Neuer Betreuer',
  self: 'Wir selbst (kein Reseller)',
  assignPackages: 'Der neue Betreuer darf ihre Pakete verkaufen',
  assignHint: 'Sonst sieht er ihre Pakete nur an den Konten und kann sie nicht verkaufen.',
  thenDelete: 'Den Reseller danach löschen',
  thenDeleteHint:
    'Er wird sofort abgemeldet, seine Tokens gelten nicht mehr. Kann ein Konto nicht übergeben werden, bleibt der Reseller, gesperrt.',
  unused: 'Seine eigenen Pakete, die kein Konto hat',
  unusedChoices: { keep: 'gehen an den neuen Betreuer', delete: 'werden gelöscht' },
  next: 'Zeigen, was sich ändert',
  whatChanges: 'Was sich ändert',
  moved: (accounts, one, to) => `${accounts} ${one ? 'Konto geht' : 'Konten gehen'} an ${to}.`,
  comingBack: (accounts, one) =>
    `${accounts} ${one ? 'Konto wurde' : 'Konten wurden'} zusammen mit dem Reseller gesperrt und ${one ? 'wird' : 'werden'} wieder aktiv.`,
  tooSmall: (to) => `Das Kontingent von ${to} ist zu klein. Vergrößern Sie es zuerst:`,
  unsold: 'Pakete, die der neue Betreuer nicht verkaufen darf:',
  unsoldPackage: (name, accounts, one) => `${name} (${accounts} ${one ? 'Konto' : 'Konten'})`,
  ofAnother: 'Es ist das eigene Paket eines anderen Resellers und kann nicht zugewiesen werden.',
  deletedAfterwards: (username) => `${username} wird danach gelöscht.`,
  confirm: 'Konten übergeben',
  confirmAndDelete: 'Konten übergeben und Reseller löschen',
  back: 'Zurück zum Reseller',
  deleteTitle: (username) => `${username} löschen`,
  deleteAbout:
    'Der Reseller hat kein Konto. Er wird abgemeldet, seine Tokens werden widerrufen, Kontingent und Markenauftritt werden gelöscht. Benutzername und E-Mail-Adresse sind wieder frei. Das Protokoll behält den Namen.',
  packagesTo: 'Seine Pakete gehen an',
  deleteSubmit: (username) => `${username} löschen`,
  deleted: (username) => `${username} wurde gelöscht.`,
  handed: (accounts) =>
    `${accounts} ${accounts === 1 ? 'Konto wird' : 'Konten werden'} im Hintergrund übergeben.`,
  terminating: (accounts, one) =>
    `${accounts} ${one ? 'Konto wird' : 'Konten werden'} gerade gelöscht. Der Reseller kann gelöscht werden, sobald der Server ${one ? 'es' : 'sie'} entfernt hat.`,
};
