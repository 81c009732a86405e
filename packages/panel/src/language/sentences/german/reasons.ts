import type { Sentences } from '../catalogue.ts';

/** What hosting servers report about sites, certificates, apps and databases. */
export const reasonSentences: Sentences = {
  'The hosting server gave no reason.': 'Der Server nannte keinen Grund.',
  'An unexpected error occurred. See the log of the agent.':
    'Ein unerwarteter Fehler ist aufgetreten. Er steht im Log des Agents.',
  'Not attempted, because {type} failed and must come first.':
    'Nicht versucht: Davor ist ein anderer Schritt fehlgeschlagen ({type}).',
  'Another program undoes the changes: {count} rounds in a row had changes to apply.':
    'Ein anderes Programm macht die Änderungen rückgängig: {count}-mal hintereinander war etwas zu ändern.',
  'The change was applied, but these steps are still needed: {steps}.':
    'Die Änderung wurde ausgeführt, aber diese Schritte fehlen noch: {steps}.',
  'The disk is full.': 'Der Speicherplatz ist voll.',
  // Sites
  "nginx serves {name} already, by a server block that is not Innkeeper's.":
    'nginx zeigt {name} schon: Ein anderer server-Block auf diesem Server ist dafür zuständig.',
  'nginx does not answer for {name}: "{answer}".': 'nginx antwortet nicht für {name}: „{answer}“.',
  'nginx answers for {name} otherwise than it should: "{answer}".':
    'nginx antwortet für {name} falsch: „{answer}“.',
  'The site {name} belongs to the account with uid {uid}.':
    'Die Website {name} gehört zum Konto mit der uid {uid}.',
  // Certificates
  '{file} exists and is not Innkeeper’s.': '{file} ist schon da und nicht von Innkeeper.',
  '{origin} is not asked: it is not https.': '{origin} wird nicht gefragt: Es ist kein https.',
  '{name} has {addresses}; it should have {own}.': (part) =>
    `${part('name')} hat ${addresses(part('addresses'))}, sollte aber ${part('own').replaceAll(' or ', ' oder ')} haben.`,
  'This server does not answer http://{name}{path}/ correctly ({answer}).':
    'Dieser Server antwortet auf http://{name}{path}/ nicht richtig ({answer}).',
  'The DNS lookup of {name} failed: {code}.': 'Die DNS-Abfrage von {name} ist fehlgeschlagen: {code}.',
  'The certificate authority refused the order.': 'Die Zertifizierungsstelle hat den Auftrag abgelehnt.',
  'The certificate authority offers no http-01 challenge for {name}.':
    'Die Zertifizierungsstelle bietet für {name} keine Prüfung über http-01 an.',
  'The certificate authority did not finish the order within 10 minutes.':
    'Die Zertifizierungsstelle hat den Auftrag nicht innerhalb von 10 Minuten ausgeführt.',
  'The certificate authority no longer knows the order.':
    'Die Zertifizierungsstelle kennt den Auftrag nicht mehr.',
  'The certificate authority sent an invalid challenge token.':
    'Die Zertifizierungsstelle hat ein ungültiges Token für die Prüfung geschickt.',
  'The certificate authority sent a certificate that {why}.':
    'Die Zertifizierungsstelle hat ein falsches Zertifikat geschickt ({why}).',
  'The certificate was removed in the meantime.': 'Das Zertifikat wurde inzwischen entfernt.',
  'The key of the certificate of {name} is lost.': 'Der Schlüssel des Zertifikats von {name} ist verloren.',
  '{host} could not be asked: {why}': '{host} ist nicht erreichbar: {why}',
  '{host} answered with {status}.': '{host} hat mit {status} geantwortet.',
  '{who} has used up its {count} orders of certificates within {hours} hours; the next one begins after {time}Z.':
    (part) =>
      `${owners[part('who')] ?? part('who')}: Die ${part('count')} Zertifikate in ${part('hours')} Stunden sind verbraucht. Das nächste wird ab ${part('time')} UTC bestellt.`,
  // Deploys of apps
  'The task was stopped before it finished.': 'Die Bereitstellung wurde abgebrochen.',
  'The task timed out after {seconds} s.':
    'Die Bereitstellung hat länger als {seconds} s gedauert und wurde beendet.',
  'The task needed more memory than the limit of the account.':
    'Die Bereitstellung brauchte mehr Arbeitsspeicher, als das Konto hat.',
  'The task failed: {why}': 'Die Bereitstellung ist fehlgeschlagen: {why}',
  'The archive of this release is no longer stored. Deploy it again.':
    'Das Archiv dieses Releases ist nicht mehr gespeichert. Laden Sie es noch einmal hoch.',
  'The archive could not be downloaded: the control plane does not provide it.':
    'Das Archiv konnte nicht abgeholt werden: Die Steuerzentrale stellt es nicht bereit.',
  'The downloaded archive is not the one that was uploaded.':
    'Das abgeholte Archiv ist nicht das hochgeladene.',
  'The archive has no file in it.': 'Das Archiv enthält keine Datei.',
  'The archive cannot be read: {why}': 'Das Archiv ist nicht lesbar: {why}',
  'The archive is corrupt: a file is larger than the archive’s directory says.':
    'Das Archiv ist beschädigt: Eine Datei ist größer, als in seinem Verzeichnis steht.',
  'The archive is corrupt: a file is smaller than the archive’s directory says.':
    'Das Archiv ist beschädigt: Eine Datei ist kleiner, als in seinem Verzeichnis steht.',
  'The archive is corrupt: a file has the wrong checksum.':
    'Das Archiv ist beschädigt: Eine Datei hat eine falsche Prüfsumme.',
  'The repository could not be cloned.': 'Das Repository konnte nicht geklont werden.',
  'The URL of the repository is invalid.': 'Die URL des Repositorys ist nicht gültig.',
  '{host} is not at a public address.': '{host} hat keine öffentliche Adresse.',
  '{host} has no address, or none can be found now.':
    '{host} hat keine Adresse, oder sie ist jetzt nicht zu finden.',
  'WordPress could not be downloaded from {host}.': 'WordPress konnte nicht von {host} geladen werden.',
  '{host} answered {status} for WordPress.': '{host} hat für WordPress mit {status} geantwortet.',
  'The WordPress archive is not the one with the checksum in the server’s configuration.':
    'Das Archiv von WordPress hat eine andere Prüfsumme als in der Konfiguration des Servers.',
  'The WordPress archive is damaged.': 'Das Archiv von WordPress ist beschädigt.',
  'The WordPress archive is too large.': 'Das Archiv von WordPress ist zu groß.',
  'There is no WordPress in {file}.': 'In {file} ist kein WordPress.',
  'The server has no WordPress where its configuration says.':
    'Der Server hat kein WordPress an der Stelle, die in seiner Konfiguration steht.',
  'WordPress cannot reach its database.': 'WordPress erreicht seine Datenbank nicht.',
  'WordPress could not be installed.': 'WordPress konnte nicht installiert werden.',
  // Programs of apps
  'Node.js {major} could not be installed: {why}': 'Node.js {major} konnte nicht installiert werden: {why}',
  'There is no Node.js for {processor}.': 'Es gibt kein Node.js für {processor}.',
  'The package of Node.js {version} has no bin/node.':
    'Das Paket von Node.js {version} enthält kein bin/node.',
  'The registry has no version {major} of {name}.': 'Die Registry hat keine Version {major} von {name}.',
  'The registry has no SHA-512 of {name} {version}, so the agent does not trust it.':
    'Die Registry hat keine SHA-512-Prüfsumme von {name} {version}, deshalb verwendet der Agent sie nicht.',
  'The registry has no download URL of {name} {version}.':
    'Die Registry hat keine Adresse von {name} {version}.',
  '{address} is not what a registry says of a package.': '{address} ist keine Antwort einer Registry.',
  '{address} is not what the registry says it is: another SHA-512.':
    '{address} hat eine andere SHA-512-Prüfsumme, als die Registry nennt.',
  '{address} answers {status}.': '{address} antwortet mit {status}.',
  '{address} is larger than {size} MiB.': '{address} ist größer als {size} MiB.',
  '{address} could not be fetched: {why}.': '{address} konnte nicht geladen werden: {why}.',
  'Node.js {major} is not available on this server. Available versions: {versions}.':
    'Node.js {major} gibt es auf diesem Server nicht. Vorhandene Versionen: {versions}.',
  'The program crashed repeatedly. The end of its log:':
    'Das Programm ist mehrmals abgestürzt. Das Ende seines Logs:',
  'The program of release {release} crashed repeatedly at its start. Release {before} is live instead. The end of the log:':
    'Das Programm des Releases {release} ist beim Start mehrmals abgestürzt. Stattdessen ist Release {before} aktiv. Das Ende des Logs:',
  'The program does not listen on the port in the environment variable PORT, so visitors get error 502. {where}':
    (part) =>
      `Das Programm lauscht nicht auf dem Port in der Umgebungsvariablen PORT, deshalb sehen Besucher den Fehler 502. ${listens(part('where'))}`,
  // Databases
  'Read-only because the account is above its disk limit. Delete data or files to write again.':
    'Nur lesbar, weil das Konto mehr als seinen Speicherplatz belegt. Löschen Sie Daten oder Dateien, um wieder schreiben zu können.',
  'These exist on the server, but Innkeeper did not create them: {names}.':
    'Diese gibt es schon auf dem Server, aber Innkeeper hat sie nicht angelegt: {names}.',
  'The database server refused a statement: {code} ({state}).':
    'Der Datenbankserver hat eine Anweisung abgelehnt: {code} ({state}).',
  'The database server does not answer at {path} ({code}).':
    'Der Datenbankserver antwortet nicht auf {path} ({code}).',
};

const owners: Readonly<Record<string, string>> = {
  'This server': 'Dieser Server',
  'This account': 'Dieses Konto',
};

/** `no address`, `the address 192.0.2.1` or `the addresses 192.0.2.1 and 2001:db8::1`. */
function addresses(text: string): string {
  if (text === 'no address') return 'keine Adresse';
  return text
    .replace(/^the addresses /, 'die Adressen ')
    .replace(/^the address /, 'die Adresse ')
    .replaceAll(' and ', ' und ');
}

function listens(text: string): string {
  const port = /port (\d+)/.exec(text)?.[1];
  return port === undefined ? 'Es lauscht nirgends.' : `Es lauscht auf Port ${port}.`;
}
