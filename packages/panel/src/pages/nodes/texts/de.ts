import type { ServerWarning } from '@innkeeper/services';
import type { en } from './en.ts';

const warnings: Readonly<Record<ServerWarning, string>> = {
  FIREWALL_MISSING:
    'Die Firewall der Konten fehlt: Konten erreichen die Metadaten der Cloud, die Steuerungsebene und Port 25 anderer Server. Führen Sie auf dem Server „systemctl status innkeeper-firewall“ aus und installieren Sie das Paket nftables, falls es fehlt.',
  PTRACE_UNRESTRICTED:
    'Ein Prozess kann jeden anderen Prozess seines Kontos verfolgen. Setzen Sie auf dem Server kernel.yama.ptrace_scope auf 1 oder verwenden Sie einen Kernel mit Yama.',
  LINKS_UNPROTECTED:
    'Der Kernel schützt Links und Pipes in gemeinsamen Ordnern nicht. Setzen Sie fs.protected_symlinks und fs.protected_hardlinks auf 1, fs.protected_fifos und fs.protected_regular auf 2.',
  FOLDER_OPEN:
    'Andere können in einen Ordner des Agenten schreiben, deshalb ändert der Agent dort nichts. Das Log des Agenten nennt den Ordner: Geben Sie ihn root und sperren Sie ihn für Schreibzugriffe.',
  PROCESSES_VISIBLE:
    'Konten sehen die Prozesse anderer Konten. Führen Sie auf dem Server „systemctl restart innkeeper-proc“ aus.',
  DISK_QUOTA_MISSING:
    'Speicherlimits der Konten werden gemessen und nicht durchgesetzt. Schalten Sie auf dem Dateisystem von /home die Quotas für Benutzer ein und starten Sie dann den Agenten neu.',
  IO_LIMITS_MISSING:
    'Lese- und Schreiblimits werden nicht durchgesetzt: Dem Server fehlt ein Blockgerät unter /home oder der io-Controller der cgroups.',
  LEDGER_DAMAGED:
    'Eine Datei des Ledgers ist beschädigt, und ihr Konto wird nicht betreut. Ändern Sie eine beliebige Einstellung des Kontos, damit es neu gesendet wird, und entfernen Sie dann die Datei aus ledger/quarantine auf dem Server.',
  HOMES_UNWATCHED:
    'Geänderte Zugriffsrechte der Home-Ordner werden nur alle paar Minuten bemerkt. Das Log des Agenten nennt den Grund: meist ist fs.inotify.max_user_watches oder max_user_instances zu niedrig.',
  DISK_FULL:
    'Ein Datenträger des Servers hat keinen Platz oder nimmt keine weiteren Dateien auf: Websites antworten, Änderungen an Konten warten. Das Log des Agenten nennt das Dateisystem. Schaffen Sie dort Platz, zum Beispiel in /var/log; was wartet, wird dann erledigt.',
  NGINX_DOWN:
    'nginx läuft nicht: Die Websites dieses Servers antworten nicht. Der Agent startet es neu. Wenn das nicht gelingt, führen Sie auf dem Server „nginx -t“ und „systemctl status nginx“ aus.',
  DATABASE_SERVER_DOWN:
    'Der Datenbankserver läuft nicht: Websites mit Datenbank fallen aus. Der Agent startet ihn neu. Wenn das nicht gelingt, führen Sie auf dem Server „systemctl status mariadb“ aus.',
  CRON_DOWN:
    'cron läuft nicht: Kein Cronjob eines Kontos startet. Der Agent startet es neu. Wenn das nicht gelingt, führen Sie auf dem Server „systemctl status cron“ aus.',
  MAIL_DOWN:
    'Konten können keine E-Mails versenden. Das Protokoll des Agenten nennt den Grund: meist fehlt Postfix, oder es läuft nicht. Starten Sie das Installationsprogramm des Agenten noch einmal, oder sehen Sie auf dem Server mit „systemctl status innkeeper-postfix innkeeper-mail.socket“ nach.',
  SSHD_DOWN:
    'sshd läuft nicht: Niemand kann sich am Server anmelden. Der Agent startet es neu. Wenn das nicht gelingt, führen Sie auf dem Server „systemctl status ssh“ aus.',
};

export const de: typeof en = {
  title: 'Server',
  list: 'Hosting-Server',
  none: 'Es gibt noch keinen Server. Konten laufen auf Hosting-Servern. Auf jedem richtet ein Agent die Konten ein.',
  addFirst: 'Den ersten hinzufügen',
  add: 'Server hinzufügen',
  name: 'Name',
  state: 'Zustand',
  agent: 'Agent',
  lastSeen: 'Zuletzt gesehen',
  accounts: 'Konten',
  allocated: 'Vergeben',
  noAgent: 'noch keiner',
  warnings: 'Warnungen',
  warningCount: (count) => (count === 1 ? '1 Warnung' : `${count} Warnungen`),
  failing: (count) => `${count} mit Fehlern`,
  paused: 'pausiert',
  overlap: ({ domain_name, account_username, reserved }) =>
    `Die Domain ${domain_name} des Kontos ${account_username} überschneidet sich mit dem reservierten Namen ${reserved}: Der Eigentümer kann darunter Seiten ausliefern und Zertifikate erhalten.`,
  warning: (code) =>
    Object.hasOwn(warnings, code)
      ? warnings[code as ServerWarning]
      : `Der Server meldet ${code}. Diese Version der Steuerungsebene kennt das nicht.`,
  jumped: (name) =>
    `${name} meldet mehr als das Vierfache des bekannten Arbeits- oder Festplattenspeichers. Die Seite des Servers nennt den nächsten Schritt.`,
  server: 'Server',
  states: {
    new: 'Der Server ist noch nicht beigetreten. Führen Sie seinen Beitrittsbefehl aus oder erstellen Sie unten einen neuen.',
    active: 'Der Server nimmt neue Konten auf.',
    cordoned: 'Der Server betreibt seine Konten und nimmt keine neuen auf.',
    offline:
      'Der Server hat sich seit 45 s nicht gemeldet. Seine Websites laufen vielleicht noch. Er übernimmt Änderungen, sobald er zurück ist. Prüfen Sie seinen Agenten: systemctl status innkeeper-agent.',
  },
  address: 'Adresse',
  hostName: 'Hostname',
  joined: 'Beigetreten',
  processors: 'Prozessoren',
  quotas: 'Disk-Quotas',
  ioLimits: 'I/O-Limits',
  notReported: 'noch nicht gemeldet',
  enforced: 'durchgesetzt',
  measured: 'nur gemessen, nicht durchgesetzt',
  unavailable: 'auf diesem Server nicht verfügbar',
  reported: 'Vom Server gemeldet',
  diskSpace: 'Speicherplatz',
  memory: 'Arbeitsspeicher',
  withoutCapacity: (label, used) => `${label}: ${used} (Kapazität noch nicht gemeldet)`,
  unexpected: 'Unerwartete Kapazität',
  unexpectedAbout: (since) => [
    'Seit ',
    since,
    ' meldet dieser Server mehr als das Vierfache seines bekannten Arbeits- oder Festplattenspeichers. Bei der Verteilung neuer Konten zählt höchstens das Vierfache des bekannten Werts.',
  ],
  knownMemory: 'Bekannter Arbeitsspeicher',
  reportedMemory: 'Gemeldeter Arbeitsspeicher',
  knownDisk: 'Bekannter Festplattenspeicher',
  reportedDisk: 'Gemeldeter Festplattenspeicher',
  unexpectedRemedy:
    'Wurde der Server vergrößert, übernehmen Sie die gemeldeten Werte. Sonst legen Sie unten seine Kapazität fest oder pausieren neue Konten und suchen die Ursache.',
  acceptReported: 'Gemeldete Werte übernehmen',
  accepted: (name) => `Die gemeldete Kapazität von ${name} ist übernommen.`,
  capacity: 'Kapazität',
  saveCapacity: 'Kapazität speichern',
  saved: (name) => `Die Kapazität von ${name} ist gespeichert.`,
  memoryForAccounts: 'Arbeitsspeicher für Konten',
  diskForAccounts: 'Festplattenspeicher für Konten',
  memoryHint: (reported) => `Zum Beispiel 64 GB. Leer: was der Server meldet (${reported}).`,
  diskHint: (reported) =>
    `Zum Beispiel 500 GB. Leer: was der Server meldet (${reported}). Der kleinere der beiden Werte zählt, wenn ein Server für ein neues Konto gewählt wird.`,
  actions: 'Aktionen',
  resume: 'Neue Konten wieder aufnehmen',
  resumed: (name) => `${name} nimmt wieder neue Konten auf.`,
  pause: 'Neue Konten pausieren',
  pausedNow: (name) => `${name} nimmt keine neuen Konten auf.`,
  mailRelay: 'E-Mails der Konten',
  newJoinCommand: 'Neuer Beitrittsbefehl',
  createJoinCommand: 'Neuen Beitrittsbefehl erstellen',
  joinAbout:
    'Für einen Server, der nie beigetreten ist, neu installiert wurde oder länger als einen Tag aus war. Frühere Beitrittsbefehle gelten nicht mehr. Ein laufender Agent ist nicht betroffen.',
  remove: 'Entfernen',
  removeServer: (name) => `${name} entfernen`,
  removeAbout:
    'Das Panel entfernt den Server aus der Liste, und die Steuerungsebene weist seinen Agenten ab. Die Daten auf der Festplatte des Servers bleiben.',
  notEmpty: 'Sie können den Server entfernen, sobald er keine Konten hat.',
  removed: (name) => `${name} wurde entfernt. Die Steuerungsebene weist seinen Agenten ab.`,
  newServer: 'Neuer Hosting-Server',
  nameHint: 'Buchstaben, Ziffern und Bindestriche, zum Beispiel web1.',
  addressHint: 'IP-Adresse oder Hostname der Websites auf diesem Server.',
  joinTitle: (name) => `Beitrittsbefehl für ${name}`,
  joinCard: 'Auf dem Server als root ausführen',
  joinHelp: (until) => [
    'Führen Sie dies im Ordner einer entpackten Version aus. Der Befehl gilt einmal, nur für diesen Server, bis ',
    until,
    '. Das Panel zeigt ihn nur jetzt. Der Token erscheint nie in der Prozessliste.',
  ],
  joinCommand: 'Beitrittsbefehl',
  goToServer: 'Zum Server',
};
