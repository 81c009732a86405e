import type { Child } from 'hono/jsx';
import type { en } from './en.ts';

export const de: typeof en = {
  title: 'E-Mail-Versand',
  titleOf: (username: string) => `E-Mail-Versand von ${username}`,
  accounts: 'Konten',
  about:
    'E-Mails, die Websites, Apps und Cronjobs dieses Kontos versenden, zum Beispiel Kontaktformulare und Passwort-Mails.',
  suspended:
    'Das Konto ist gesperrt und versendet keine E-Mails. Was in der Warteschlange ist, bleibt dort und wird versendet, wenn das Konto wieder aktiv ist.',
  noRelay:
    'Dieser Server versendet noch keine E-Mails: Ihr Anbieter hat kein Mail-Relay eingerichtet. Programme erhalten beim Versand einen Fehler.',
  noRelayForOperator:
    'Der Server dieses Kontos hat kein Mail-Relay, deshalb erhalten Programme beim Versand einen Fehler. Ein Administrator richtet es unter „E-Mails der Konten“ ein.',
  notIncluded: 'Ihr Paket enthält keinen E-Mail-Versand. Programme erhalten beim Versand einen Fehler.',
  notIncludedForOperator:
    'Das Paket dieses Kontos erlaubt keine E-Mails. Programme erhalten beim Versand einen Fehler. Ein Administrator setzt die Grenzen auf der Seite des Pakets.',
  sent: 'Versendet',
  thisHour: 'Diese Stunde',
  today: 'Heute',
  counting:
    'Eine E-Mail an drei Empfänger zählt als drei. Stunden und Tage beginnen in UTC. Ist eine Grenze erreicht, erhalten Programme einen Fehler, bis die nächste Stunde oder der nächste Tag beginnt.',
  now: 'Diese Zahlen sind von diesem Moment.',
  reportedAt: (moment: Child): Child => [
    'Der Server hat nicht geantwortet; diese Zahlen sind von ',
    moment,
    '.',
  ],
  notSent: 'Nicht versendet',
  refusedThisHour: 'In dieser Stunde wegen der Grenzen abgelehnt',
  refusedToday: 'Heute wegen der Grenzen abgelehnt',
  queued: 'Nachrichten in der Warteschlange',
  waitsBecause: 'Die älteste wartet, weil',
  queueAbout:
    'Nachrichten bleiben in der Warteschlange, solange das Mail-Relay sie nicht annimmt, höchstens drei Tage.',
  howTo: 'So versenden Programme',
  programs: (php: Child, path: Child): Child => [
    'PHPs ',
    php,
    ' und jedes Programm, das ',
    path,
    ' verwendet, versenden ohne weitere Einstellung.',
  ],
  sender: (domain: Child): Child => [
    'Absender kann jede Adresse Ihrer eigenen Domains sein. Jede andere wird durch eine Adresse ersetzt, die auf ',
    domain,
    ' endet.',
  ],
  serverName: 'dem Namen des Servers',
  bounces:
    'Kann eine E-Mail nicht zugestellt werden, geht eine Nachricht an den Absender. Setzen Sie deshalb einen, den Sie lesen (in PHP das fünfte Argument, -f). Die Nummer des Kontos steht in einer Kopfzeile jeder E-Mail.',
};
