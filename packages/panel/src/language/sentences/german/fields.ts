import type { Sentences } from '../catalogue.ts';
import { limitWords } from '../limit-words.ts';

/** Names of fields and limits, as the English sentences contain them. */
export const words: Readonly<Record<string, string>> = {
  ...limitWords('de'),
  abilities: 'Rechte',
  accounts: 'Konten',
  address: 'Adresse',
  'alias of': 'Haupt-Domain',
  'allowed ips': 'Erlaubte IP-Adressen',
  archive: 'Archiv',
  body: 'Anfrage',
  code: 'Code',
  color: 'Farbe',
  command: 'Befehl',
  cpu: 'CPU',
  'current password': 'Aktuelles Passwort',
  'deploy root': 'Ordner der App',
  'display errors': 'Fehler anzeigen',
  'document root': 'Ordner der Website',
  'domain id': 'Domain',
  'domain name': 'Domain',
  email: 'E-Mail-Adresse',
  enabled: 'Aktiv',
  encryption: 'Verschlüsselung',
  env: 'Umgebungsvariablen',
  'env vars': 'Umgebungsvariablen',
  'execution s': 'Laufzeit',
  'execution seconds': 'Laufzeit',
  'expires in': 'Gültigkeit',
  folder: 'Ordner',
  git: 'Git',
  'git.branch': 'Branch',
  'git.deploy_key': 'Deploy-Schlüssel',
  'git.repository': 'Repository',
  host: 'Host',
  'hosting account id': 'Konto',
  'https redirect': 'Weiterleitung auf HTTPS',
  'input vars': 'Eingabefelder',
  io: 'Datenträger',
  ip: 'IP-Adresse',
  'is internal': 'Intern',
  'is primary': 'Haupt-Domain',
  'lifetime seconds': 'Gültigkeit',
  logo: 'Logo',
  'max accounts': 'Konten',
  'max ftp logins': 'FTP- und SFTP-Zugänge',
  'memory limit mb': 'Arbeitsspeicher',
  'memory mb': 'Arbeitsspeicher',
  message: 'Nachricht',
  'expires in days': 'Läuft ab',
  name: 'Name',
  node: 'Server',
  'node version': 'Node.js-Version',
  overselling: 'Überbuchung',
  owner: 'Eigentümer',
  'package id': 'Paket',
  packages: 'Pakete',
  password: 'Passwort',
  'password folder': 'Geschützter Ordner',
  'password user': 'Benutzername',
  port: 'Port',
  preset: 'Vorlage',
  'public key': 'Öffentlicher Schlüssel',
  'public keys': 'Öffentliche Schlüssel',
  reason: 'Grund',
  'redirect keeps path': 'Pfad behalten',
  'redirect status': 'Art der Weiterleitung',
  'redirect url': 'Ziel der Weiterleitung',
  'removes password': 'Passwort entfernen',
  reseller: 'Reseller',
  resellers: 'Reseller',
  role: 'Rolle',
  schedule: 'Zeitplan',
  'sender address': 'Absenderadresse',
  'sender name': 'Absendername',
  session: 'Sitzung',
  columns: 'Spalten',
  rows: 'Zeilen',
  slug: 'Kürzel',
  'mail per day': 'E-Mails pro Tag',
  'mail per hour': 'E-Mails pro Stunde',
  'relay password': 'Passwort',
  'sender domain': 'Absender-Domain',
  'smtp password': 'Passwort',
  'smtp port 25': 'Port 25',
  'start command': 'Startbefehl',
  suffix: 'Name',
  'support url': 'Support-Link',
  target: 'Ziel',
  'template key': 'App',
  'terminal access': 'Terminal-Zugang',
  'time zone': 'Zeitzone',
  to: 'Empfänger',
  'upload mb': 'Größe von Uploads',
  purpose: 'Zweck',
  user: 'Benutzer',
  username: 'Benutzername',
  'welcomes api accounts': 'Begrüßung neuer Konten',
  'MiB of disk': 'Speicherplatz',
};

/** What the rules of the contract refuse. */
export const fields: Sentences = {
  'The {field} field is required.': '„{field}“ darf nicht leer sein.',
  'The password field is required when public keys is not present.':
    '„Passwort“ ist nötig, wenn kein öffentlicher Schlüssel angegeben ist.',
  'The {field} field is required when package id is not present.':
    '„{field}“ darf ohne Paket nicht leer sein.',
  'The {field} field is required when target is app.':
    '„{field}“ darf bei einem Link zu einer App nicht leer sein.',
  'The {field} field must be a string.': '„{field}“ muss ein Text sein.',
  'The {field} field must be an integer.': '„{field}“ muss eine ganze Zahl sein.',
  'The {field} field must be true or false.': '„{field}“ muss ja oder nein sein.',
  'The {field} field must be an array.': '„{field}“ muss eine Liste sein.',
  'The {field} field must be an array of strings.': '„{field}“ muss eine Liste von Texten sein.',
  'The {field} field must be an object.': '„{field}“ muss aus Namen und Werten bestehen.',
  'The {field} field must be at least {min} characters.': '„{field}“ muss mindestens {min} Zeichen haben.',
  'The {field} field must be at least {min}.': '„{field}“ muss mindestens {min} sein.',
  'The {field} field must not be greater than {max} characters.':
    '„{field}“ darf höchstens {max} Zeichen haben.',
  'The {field} field must not be greater than {max}.': '„{field}“ darf höchstens {max} sein.',
  'The {field} field must not have more than {max} items.': '„{field}“ darf höchstens {max} Einträge haben.',
  'The {field} field must not hold more than {max} characters in all.':
    '„{field}“ darf zusammen höchstens {max} Zeichen haben.',
  'The {field} field must be one of {list}.': '„{field}“ muss einer dieser Werte sein: {list}.',
  'The {field} field format is invalid.': '„{field}“ hat ein falsches Format.',
  'The {field} field must be one line without control characters.':
    '„{field}“ muss eine Zeile ohne Steuerzeichen sein.',
  'The env.{name} field must be one line.': 'Der Wert von {name} muss eine Zeile sein.',
  'The env.{name} field is required.': 'Der Wert von {name} darf nicht leer sein.',
  'The POST data is too large.': 'Die Angaben sind zu groß.',
  'The {field} field must be a valid email address.': '„{field}“ muss eine gültige E-Mail-Adresse sein.',
  'The {field} field must be a valid IP address.': '„{field}“ muss eine gültige IP-Adresse sein.',
  'The selected {field} is invalid.': '„{field}“: Diese Auswahl ist nicht möglich.',
  'The {field} has already been taken.': '„{field}“ ist schon vergeben.',
  'The given data was invalid.': 'Die Angaben sind nicht gültig.',
  'The body field must be an object.': 'Die Anfrage muss aus Feldern bestehen.',
  // Usernames, names and addresses
  'The username field must be 3-16 letters a-z, digits, dashes and underscores.':
    'Der Benutzername muss aus 3 bis 16 Buchstaben a–z, Ziffern, Binde- und Unterstrichen bestehen.',
  'The color field must be a color such as #7a3cff.': 'Die Farbe muss wie #7a3cff aussehen.',
  'The support link must be an https:// or http:// address, or mailto: with an email address.':
    'Der Support-Link muss eine Adresse mit https:// oder http:// sein, oder mailto: mit einer E-Mail-Adresse.',
  'The host field must be a host name such as panel.example.com.':
    'Der Host muss ein Name wie panel.example.com sein.',
  'The host field must be a host name with a dot, an IP address or localhost.':
    'Der Host muss ein Name mit einem Punkt, eine IP-Adresse oder localhost sein.',
  'The name field must be 1-63 letters a-z, digits and dashes, with a letter among them and no dash first.':
    'Der Name muss aus 1 bis 63 Buchstaben a–z, Ziffern und Bindestrichen bestehen, darunter ein Buchstabe und kein Bindestrich am Anfang.',
  'The address field must be an IPv4 or IPv6 address or a host name with a dot.':
    'Die Adresse muss eine IPv4- oder IPv6-Adresse oder ein Hostname mit einem Punkt sein.',
  'The slug field must be letters a-z and digits with single dashes between them.':
    'Das Kürzel muss aus Buchstaben a–z und Ziffern mit einzelnen Bindestrichen dazwischen bestehen.',
  '{where}"{entry}" is neither an IPv4 or IPv6 address nor a CIDR range.': (part) =>
    `${part('where').replace('Line', 'Zeile')}„${part('entry')}“ ist weder eine IPv4- oder IPv6-Adresse noch ein CIDR-Bereich.`,
  'An allowlist holds at most {max} entries; this one has {count}.':
    'Eine Liste erlaubter Adressen hat höchstens {max} Einträge; diese hat {count}.',
  // Apps
  'The {field} field must only have names of letters, digits and _ that do not begin with a digit.':
    '„{field}“: Namen bestehen aus Buchstaben, Ziffern und _ und beginnen nicht mit einer Ziffer.',
  'The {field} field must be a private key in OpenSSH or PEM format.':
    '„{field}“ muss ein privater Schlüssel im Format OpenSSH oder PEM sein.',
  'The {field} field must not contain a password or token: use an SSH address with a deploy key.':
    '„{field}“ darf kein Passwort und kein Token enthalten: Verwenden Sie eine SSH-Adresse mit einem Deploy-Schlüssel.',
  // Cron jobs
  'The {field} field must be a valid cron expression.': '„{field}“ muss ein gültiger Cron-Ausdruck sein.',
  'The {field} field must not contain ";", "|", "&", a backtick or "$(".':
    '„{field}“ darf ";", "|", "&", "$(" und den Gravis ` nicht enthalten.',
  'The {field} field must not run su or sudo.': '„{field}“ darf su und sudo nicht ausführen.',
  'The {field} field must not redirect into a system path.':
    '„{field}“ darf nicht in einen Ordner des Systems schreiben.',
  // Sites
  'The {field} field must be a folder: names of letters a-z, digits, dots, dashes and underscores with slashes between them. No name may begin with a dot.':
    '„{field}“ muss ein Ordner sein: Namen aus Buchstaben a–z, Ziffern, Punkten, Binde- und Unterstrichen mit Schrägstrichen dazwischen. Kein Name darf mit einem Punkt beginnen.',
  'The {field} field must be a URL that begins with http:// or https:// and a domain name, without a user, a # and empty parts.':
    '„{field}“ muss eine URL sein, die mit http:// oder https:// und einer Domain beginnt, ohne Benutzer, # und leere Teile.',
  'The {field} field must be letters a-z, digits, dots, dashes, underscores and @, at most 64.':
    '„{field}“ muss aus höchstens 64 Buchstaben a–z, Ziffern, Punkten, Binde- und Unterstrichen und @ bestehen.',
  // FTP logins
  'The {field} field must not have more than {max} lines.': '„{field}“ darf höchstens {max} Zeilen haben.',
  'The {field} field must be letters a-z, digits, dashes and underscores. It must begin and end with a letter or a digit.':
    '„{field}“ muss aus Buchstaben a–z, Ziffern, Binde- und Unterstrichen bestehen und mit einem Buchstaben oder einer Ziffer beginnen und enden.',
  // SSH keys
  'The {field} field must be a public key. This is a private key: keep it to yourself, and make a new pair.':
    '„{field}“ muss ein öffentlicher Schlüssel sein. Dies ist ein privater Schlüssel: Geben Sie ihn nicht weiter, und erzeugen Sie ein neues Paar.',
  'The {field} field must be one line of an OpenSSH public key file (.pub).':
    '„{field}“ muss eine Zeile aus einer Datei mit einem öffentlichen OpenSSH-Schlüssel (.pub) sein.',
  'The {field} field must not have options before the type of the key.':
    '„{field}“ darf vor der Art des Schlüssels keine Optionen haben.',
  'The {field} field must be an OpenSSH public key of the type Ed25519, ECDSA or RSA.':
    '„{field}“ muss ein öffentlicher OpenSSH-Schlüssel der Art Ed25519, ECDSA oder RSA sein.',
  'The {field} field must be a complete public key.':
    '„{field}“ muss ein vollständiger öffentlicher Schlüssel sein.',
  'The {field} field must be an RSA key of at least 2048 bits.':
    '„{field}“ muss ein RSA-Schlüssel mit mindestens 2048 Bit sein.',
};
