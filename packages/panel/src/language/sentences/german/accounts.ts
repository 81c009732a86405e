import type { Sentences } from '../catalogue.ts';

const accounts = (count: string) => (count === '1' ? '1 Konto' : `${count} Konten`);

/** Accounts, packages, resellers and changes of many accounts. */
export const accountSentences: Sentences = {
  'This action is unauthorized.': 'Dazu haben Sie kein Recht.',
  'Not found.': 'Nicht gefunden.',
  'This account is being terminated.': 'Dieses Konto wird gelöscht.',
  'This account is suspended.': 'Dieses Konto ist gesperrt.',
  'No uid is left for another account.': 'Für ein weiteres Konto ist keine uid mehr frei.',
  'There is no account {id}.': 'Es gibt kein Konto {id}.',
  'The account is already on this package.': 'Das Konto hat dieses Paket schon.',
  'The account exceeds package "{name}": {excess}.':
    'Das Konto belegt mehr, als das Paket „{name}“ erlaubt: {excess}.',
  'It exceeds the new limits: {excess}.': 'Es belegt mehr, als die neuen Limits erlauben: {excess}.',
  'The package id field is required: there is no package for accounts with custom limits.':
    '„Paket“ darf nicht leer sein: Es gibt kein Paket für Konten mit eigenen Limits.',
  'No hosting server can take the account now. Try again later.':
    'Kein Server kann das Konto jetzt aufnehmen. Versuchen Sie es später noch einmal.',
  'Account limit reached ({max}).': 'Mehr als {max} Konten sind nicht möglich.',
  'Only the customer can change this password here. Set it on the account’s page in your own panel.':
    'Hier kann nur der Kunde dieses Passwort ändern. Setzen Sie es auf der Seite des Kontos in Ihrem eigenen Panel.',
  'The reason field must not be greater than {max} characters.':
    'Der Grund darf höchstens {max} Zeichen haben.',
  // Pools of resellers
  'The {field} field cannot be unlimited: the reseller pool holds {size}.':
    '„{field}“ kann nicht unbegrenzt sein: Das Kontingent des Resellers hat {size}.',
  'The {field} field cannot be taken from the reseller pool while another account is unlimited.':
    '„{field}“ kann nicht aus dem Kontingent des Resellers kommen, solange ein anderes Konto unbegrenzt ist.',
  'The {field} field exceeds what is left of the reseller pool ({left}).':
    '„{field}“ ist mehr, als vom Kontingent des Resellers übrig ist ({left}).',
  "The {field} field cannot be {size}: {unlimited} of the reseller's accounts {have} no limit. Give them one first.":
    (part) =>
      `„${part('field')}“ kann nicht ${part('size')} sein: ${accounts(part('unlimited'))} des Resellers ${part('unlimited') === '1' ? 'ist' : 'sind'} unbegrenzt. Begrenzen Sie diese zuerst.`,
  "The {field} field cannot be {size}: {taken} is handed out to the reseller's accounts already.":
    '„{field}“ kann nicht {size} sein: {taken} ist schon an Konten des Resellers vergeben.',
  'The pool of {username} is too small: {why}.': 'Das Kontingent von {username} ist zu klein: {why}.',
  'Reseller {username}: {why}.': 'Der Reseller {username}: {why}.',
  // Packages
  'There is no package {id}.': 'Es gibt kein Paket {id}.',
  'Package "{name}" cannot be assigned: it is {why}.':
    'Das Paket „{name}“ kann nicht zugewiesen werden: Es ist {why}.',
  'The {field} field is for admins.': '„{field}“ ist nur für Administratoren.',
  'The slug field is required: the name has no letter a-z and no digit.':
    '„Kürzel“ darf nicht leer sein: Der Name hat keinen Buchstaben a–z und keine Ziffer.',
  'An internal package is not for sale: omit owner and resellers.':
    'Ein internes Paket ist nicht im Angebot: Lassen Sie Eigentümer und Reseller weg.',
  'Only packages of the admin can be assigned to resellers.':
    'Nur Pakete des Administrators können Resellern zugewiesen werden.',
  '{count} {have} this package. Move them to another package first.': (part) =>
    `${accounts(part('count'))} ${part('count') === '1' ? 'hat' : 'haben'} dieses Paket. Wechseln Sie zuerst deren Paket.`,
  // Resellers
  'There is no such reseller.': 'Diesen Reseller gibt es nicht.',
  'There is no reseller "{name}".': 'Es gibt keinen Reseller „{name}“.',
  'Choose another owner for its packages.': 'Wählen Sie einen anderen Eigentümer für seine Pakete.',
  '{username} has no account left but {count} that {be} being terminated. Wait until the server has removed {them}.':
    (part) =>
      `${part('username')} hat nur noch ${accounts(part('count'))}, die gerade gelöscht werden. Warten Sie, bis der Server sie entfernt hat.`,
  '{username} has {count} {accounts}. Hand {them} over to another reseller or to yourself, or terminate {last}.':
    (part) =>
      `${part('username')} hat ${accounts(part('count'))}. Übergeben Sie sie einem anderen Reseller oder sich selbst, oder löschen Sie sie.`,
  '{count} more {be} being terminated.': (part) =>
    `${accounts(part('count'))} ${part('count') === '1' ? 'wird' : 'werden'} außerdem gerade gelöscht.`,
  'Choose another manager for the accounts.': 'Wählen Sie einen anderen Verwalter für die Konten.',
  '{username} is suspended. Unsuspend it first.':
    '{username} ist gesperrt. Entsperren Sie den Reseller zuerst.',
  // Changes of many accounts
  'Select at least one account.': 'Wählen Sie mindestens ein Konto aus.',
  'There is no such change.': 'Diese Änderung gibt es nicht.',
  'An earlier change is still being applied to its accounts. Wait until it has finished.':
    'Eine frühere Änderung wird noch auf seine Konten angewendet. Warten Sie, bis sie fertig ist.',
  'An unexpected error prevented it. The log of the control plane has the error.':
    'Ein unerwarteter Fehler hat es verhindert. Er steht im Log der Steuerzentrale.',
  'The operator who began it cannot sign in.':
    'Wer die Änderung begonnen hat, kann sich nicht mehr anmelden.',
  // Channels to the server
  'The account is not active on its server.': 'Das Konto ist auf seinem Server nicht aktiv.',
  'The account has no terminal access.': 'Das Konto hat keinen Terminal-Zugang.',
  'Too many connections to the server are open. Close one.':
    'Zu viele Verbindungen zum Server sind offen. Schließen Sie eine.',
  'The server does not answer now. Try again in a minute.':
    'Der Server antwortet gerade nicht. Versuchen Sie es in einer Minute noch einmal.',
  'The server did not connect in time. Try again in a minute.':
    'Der Server hat sich nicht rechtzeitig verbunden. Versuchen Sie es in einer Minute noch einmal.',
  'The server does not have this database yet.': 'Der Server hat diese Datenbank noch nicht.',
  'The connection to the server was lost. Parts of the file may have been imported.':
    'Die Verbindung zum Server ist abgebrochen. Ein Teil der Datei kann importiert worden sein.',
  'The import stopped: {why}': 'Der Import wurde abgebrochen: {why}',
  'The panel restarts. Try again in a minute.':
    'Das Panel startet neu. Versuchen Sie es in einer Minute noch einmal.',
};

export const accountPhrases: Sentences = {
  '{count} {limit} (at most {max})': '{count} {limit} (höchstens {max})',
  '{limit} cannot be unlimited, the pool has {size}':
    '{limit} kann nicht unbegrenzt sein, das Kontingent hat {size}',
  '{limit} would be {taken}, the pool has {size}': '{limit} wäre {taken}, das Kontingent hat {size}',
  internal: 'intern',
  "a reseller's own": 'das eines Resellers',
};
