import type { Sentences } from '../catalogue.ts';

/** Domains, sites, certificates, databases, cron jobs and SSH keys. */
export const siteSentences: Sentences = {
  // Domains
  'There is no domain {id}.': 'Es gibt keine Domain {id}.',
  'Account {account} has no domain {id}.': 'Das Konto {account} hat keine Domain {id}.',
  'Domain limit reached ({max}).': 'Mehr als {max} Domains sind nicht möglich.',
  'This domain is being removed.': 'Diese Domain wird gerade entfernt.',
  'The domain name field must not be a public suffix.':
    '„Domain“ darf keine Endung sein, unter der Domains vergeben werden.',
  'The domain name is reserved: it is a name of the provider, or a parent or subdomain of one.':
    'Diese Domain ist reserviert: Sie ist ein Name des Anbieters oder liegt darüber oder darunter.',
  'The domain name is below or above a domain of another account. If it is yours, add the TXT record {record} with the value {value} to its DNS, and add the domain again.':
    'Diese Domain liegt unter oder über der Domain eines anderen Kontos. Wenn sie Ihnen gehört, tragen Sie in ihrem DNS den TXT-Eintrag {record} mit dem Wert {value} ein, und fügen Sie die Domain noch einmal hinzu.',
  'The domain name is below or above a domain of another account. Create the account without it, then add it to the account.':
    'Diese Domain liegt unter oder über der Domain eines anderen Kontos. Legen Sie das Konto ohne sie an, und fügen Sie sie danach hinzu.',
  'The domain name is where the site redirects to. Remove the redirect first.':
    'Auf diese Domain leitet die Website weiter. Entfernen Sie zuerst die Weiterleitung.',
  'This name shows the site of another domain. Add the name to that domain.':
    'Dieser Name zeigt die Website einer anderen Domain. Fügen Sie den Namen dort hinzu.',
  'This name shows the site of another domain. Change the settings of that domain.':
    'Dieser Name zeigt die Website einer anderen Domain. Ändern Sie die Einstellungen dort.',
  'The redirect url field must lead to another site: {name} is a name of this one.':
    'Das Ziel der Weiterleitung muss eine andere Website sein: {name} ist ein Name von dieser.',
  'The path cannot be kept: the redirect url has a query, which would stand before the path.':
    'Der Pfad kann nicht behalten werden: Das Ziel hat eine Abfrage (?), die vor dem Pfad stünde.',
  'No DNS server answered.': 'Kein DNS-Server hat geantwortet.',
  'The domain {domain} of the account {account} overlaps the reserved name {reserved}: its owner can serve pages and get certificates under it.':
    'Die Domain {domain} des Kontos {account} überschneidet sich mit dem reservierten Namen {reserved}: Ihr Inhaber kann darunter Seiten zeigen und Zertifikate bekommen.',
  // PHP settings
  'The {field} field must not be greater than {max}: the account has no more memory.':
    '„{field}“ darf höchstens {max} sein: Mehr hat das Konto nicht.',
  'The {field} field must not be greater than {max}: the hosting provider allows no more.':
    '„{field}“ darf höchstens {max} sein: Mehr erlaubt der Anbieter nicht.',
  'The hosting provider does not allow that visitors see errors.':
    'Der Anbieter erlaubt nicht, dass Besucher Fehler sehen.',
  // Certificates
  'Certificate limit reached: {max} requests for {whose} in 24 hours. Try again in {time}.': (part) =>
    `Für ${part('whose') === 'this domain' ? 'diese Domain' : 'dieses Konto'} sind in 24 Stunden höchstens ${part('max')} Zertifikate möglich. Versuchen Sie es in ${hours(part('time'))} noch einmal.`,
  'This account is suspended: no certificate can be issued before it is active again.':
    'Dieses Konto ist gesperrt: Bis es wieder aktiv ist, kann kein Zertifikat ausgestellt werden.',
  // Databases
  'Database limit reached ({max}).': 'Mehr als {max} Datenbanken sind nicht möglich.',
  'No free database name was found. Try again.':
    'Kein freier Name für die Datenbank wurde gefunden. Versuchen Sie es noch einmal.',
  'This database is being removed.': 'Diese Datenbank wird gerade entfernt.',
  'This database belongs to an app, and is removed with it.':
    'Diese Datenbank gehört zu einer App und wird mit ihr entfernt.',
  'The ip field must be the address of one computer: {ip} stands for none.':
    '„IP-Adresse“ muss die Adresse eines Rechners sein: {ip} ist keine.',
  'Allowed IP limit reached ({max}).': 'Mehr als {max} IP-Adressen sind nicht möglich.',
  '{ip} may not use database {id}.': '{ip} darf die Datenbank {id} nicht verwenden.',
  // Cron jobs and SSH keys
  'Cron job limit reached ({max}).': 'Mehr als {max} Cronjobs sind nicht möglich.',
  'There is no FTP login {id}.': 'Diesen FTP-Zugang gibt es nicht.',
  'FTP login limit reached ({max}).': 'Mehr als {max} FTP- und SFTP-Zugänge sind nicht möglich.',
  'SSH key limit reached ({max}).': 'Mehr als {max} SSH-Schlüssel sind nicht möglich.',
  'The public key field format is invalid.': '„Öffentlicher Schlüssel“ hat ein falsches Format.',
};

function hours(text: string): string {
  const count = Number.parseInt(text, 10);
  return count === 1 ? '1 Stunde' : `${count} Stunden`;
}
