import type { Sentences } from '../catalogue.ts';

/** What hosting servers report about accounts as a whole: users, homes, limits, PHP, cron, and what a removed one left. */
export const serverSentences: Sentences = {
  '{path} is missing: run the installer again.': '{path} fehlt: Führen Sie den Installer noch einmal aus.',
  'The group {name} does not exist: run the installer again.':
    'Die Gruppe {name} existiert nicht: Führen Sie den Installer noch einmal aus.',
  'The mail queue did not answer.': 'Die Mail-Warteschlange hat nicht geantwortet.',
  'The mail queue of this server does not run.': 'Die Mail-Warteschlange dieses Servers läuft nicht.',
  'The mail queue gave no id.': 'Die Mail-Warteschlange hat keine Kennung genannt.',
  'The mail queue answered: {words}': 'Die Mail-Warteschlange hat geantwortet: {words}',
  'The host name of this server ({name}) is no domain, so senders have none. Set a sender domain for the relay.':
    'Der Hostname dieses Servers ({name}) ist keine Domain, deshalb haben Absender keine. Setzen Sie eine Absender-Domain für das Relay.',
  'Postfix is not installed on this server, mostly because another mail server is. Remove that one and run the installer of the agent again.':
    'Postfix ist auf diesem Server nicht installiert, meist weil ein anderer Mailserver installiert ist. Entfernen Sie diesen und führen Sie den Installer des Agenten noch einmal aus.',
  'The user {name} does not exist: run the installer again.':
    'Den Benutzer {name} gibt es nicht: Führen Sie den Installer noch einmal aus.',
  '{path} does not belong to Innkeeper. Move it to another folder and run the installer again.':
    '{path} gehört nicht zu Innkeeper. Verschieben Sie es, und führen Sie den Installer noch einmal aus.',
  '{path} is missing or changed and cannot be restored ({code}). Run the installer again.':
    '{path} fehlt oder ist geändert und lässt sich nicht wiederherstellen ({code}). Führen Sie den Installer noch einmal aus.',
  // Users
  'The user {name} or uid {uid} exists in another name service.':
    'Den Benutzer {name} oder die uid {uid} gibt es in einem anderen Namensdienst.',
  'The user {name} was not made for account {id}: its comment is not "{comment}".':
    'Der Benutzer {name} wurde nicht für das Konto {id} angelegt: Sein Kommentar ist nicht „{comment}“.',
  'The user {name} was not made for account {id}: its home is not {home}.':
    'Der Benutzer {name} wurde nicht für das Konto {id} angelegt: Sein Home-Ordner ist nicht {home}.',
  'The user {name} does not exist.': 'Den Benutzer {name} gibt es nicht.',
  'The user {name} is a member of {groups}; an account is a member of no other group.':
    'Der Benutzer {name} ist in {groups}; ein Konto ist in keiner anderen Gruppe.',
  'The user {name} exists with uid {uid}, not {wanted}.':
    'Den Benutzer {name} gibt es mit der uid {uid}, nicht {wanted}.',
  'The uid {uid} belongs to the user {name}.': 'Die uid {uid} gehört dem Benutzer {name}.',
  'The group {name} exists with gid {gid}, not {wanted}.':
    'Die Gruppe {name} gibt es mit der gid {gid}, nicht {wanted}.',
  'The gid {gid} belongs to the group {name}.': 'Die gid {gid} gehört der Gruppe {name}.',
  'The user {name} has two entries in /etc/passwd.': 'Der Benutzer {name} steht zweimal in /etc/passwd.',
  'The account database changes faster than it can be rewritten.':
    'Die Benutzerdatei ändert sich schneller, als sie neu geschrieben werden kann.',
  // Homes and files
  '{path} exists and is not a folder of uid {uid}.': '{path} ist schon da und kein Ordner der uid {uid}.',
  '{path} exists already.': '{path} ist schon da.',
  '{path} is missing.': '{path} fehlt.',
  'The agent could not read the homes.': 'Der Agent konnte die Home-Ordner nicht lesen.',
  "{path} is another user's.": '{path} gehört einem anderen Benutzer.',
  '{path} cannot be removed whole; is something mounted in it?':
    '{path} lässt sich nicht ganz löschen; ist darin etwas eingehängt?',
  "{path} must be root's alone (0700).": '{path} muss root allein gehören (0700).',
  '{path} has too many links in it.': '{path} enthält zu viele Links.',
  "{path} must be root's and closed to others for writing: root changes nothing in it.":
    '{path} muss root gehören und darf für andere nicht schreibbar sein: root ändert darin nichts.',
  '{path} is no folder.': '{path} ist kein Ordner.',
  'The name is not a valid name of a folder entry.': 'Der Name ist kein gültiger Dateiname.',
  'A disk of the server is full: it has no space, or no room for one more file. The change is retried: free some space.':
    'Ein Datenträger des Servers ist voll: Er hat keinen Platz mehr, oder keinen für eine weitere Datei. Die Änderung wird wiederholt: Schaffen Sie Platz.',
  'The file system of {path} has no space.': 'Das Dateisystem von {path} hat keinen Platz mehr.',
  'The file system of {path} has no room for more files (inodes).':
    'Das Dateisystem von {path} hat keinen Platz für weitere Dateien (Inodes).',
  // Limits and processes
  'User quotas on {path} are no longer enforced. Run: quotaon -u {path2}':
    'Benutzerquotas auf {path} gelten nicht mehr. Führen Sie aus: quotaon -u {path2}',
  '{path} has no quota of users.': '{path} hat keine Quota für Benutzer.',
  'Quotas are not supported on {processor}.': 'Quotas gibt es auf {processor} nicht.',
  '{count} processes of {name} live on: {list}.': '{count} Prozesse von {name} laufen weiter: {list}.',
  'The cgroup {path} is still in use.': 'Die cgroup {path} wird noch benutzt.',
  'The launcher process, which starts programs, has ended.':
    'Der Prozess, der Programme startet, hat sich beendet.',
  'systemd refuses: {why}': 'systemd lehnt ab: {why}',
  'systemd cannot be called: {why}.': 'systemd ist nicht erreichbar: {why}.',
  'systemd says nothing of {what}.': 'systemd sagt nichts zu {what}.',
  '{call} of {unit} ended with the result {result}.': '{call} von {unit} endete mit dem Ergebnis {result}.',
  // nginx
  'nginx does not run; it is started again.': 'nginx läuft nicht; es wird neu gestartet.',
  'nginx refuses its configuration: {fault}': 'nginx lehnt seine Konfiguration ab: {fault}',
  'nginx ended while it was to read its new configuration.':
    'nginx hat sich beendet, während es seine neue Konfiguration lesen sollte.',
  'nginx has not taken its new configuration; its error log says why.':
    'nginx hat seine neue Konfiguration nicht übernommen; der Grund steht in seinem Fehlerlog.',
  // Firewall
  'The firewall in the kernel differs from {path}.': 'Die Firewall im Kernel weicht von {path} ab.',
  'The table {table} in the kernel is not the one of {path}.':
    'Die Tabelle {table} im Kernel ist nicht die aus {path}.',
  'The firewall cannot be read: {why}': 'Die Firewall ist nicht lesbar: {why}',
  // PHP and cron
  'The PHP configuration file exists and Innkeeper did not create it.':
    'Die PHP-Konfigurationsdatei ist schon da, und Innkeeper hat sie nicht angelegt.',
  '{path} is not Innkeeper\'s: it lacks the header "{header}".':
    '{path} ist nicht von Innkeeper: Die Kopfzeile „{header}“ fehlt.',
  'Cron does not accept the schedule of job {id}.': 'Cron lehnt den Zeitplan des Jobs {id} ab.',
  '/etc/cron.d has a file of this name that Innkeeper did not create.':
    'In /etc/cron.d ist eine Datei mit diesem Namen, die Innkeeper nicht angelegt hat.',
  // What a removed account left
  'Still on this node: {list}.': 'Noch auf diesem Server: {list}.',
  '{count} files of the account stay where others keep them: {list}.':
    '{count} Dateien des Kontos bleiben an Stellen, die andere benutzen: {list}.',
  '{kind} {what} is still there.': '{kind} {what} ist noch da.',
  'Shared folders could not be searched.': 'Gemeinsame Ordner konnten nicht durchsucht werden.',
  'logind still holds {record}.': 'logind hält noch {record}.',
};
