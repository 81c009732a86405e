import type { en } from './en.ts';

export const de: typeof en = {
  title: 'E-Mails der Konten',
  titleOf: (node: string) => `E-Mails der Konten auf ${node}`,
  nodes: 'Server',
  about:
    'Websites, Apps und Cronjobs der Konten versenden ihre E-Mails über eine Warteschlange auf ihrem Server an dieses Relay. Es ist ein Mailserver von Ihnen oder von einem Mail-Anbieter. Die Grenzen jedes Pakets gelten auf den Servern.',
  none: 'Es gibt kein Relay, deshalb können Konten keine E-Mails versenden. Ihre Programme erhalten einen Fehler.',
  relay: 'Relay der Installation',
  host: 'Hostname',
  hostHint:
    'Zum Beispiel smtp.example.com. Sein Zertifikat muss für diesen Namen gültig sein, bei den Zertifizierungsstellen, denen die Server vertrauen.',
  port: 'Port',
  encryption: 'Verschlüsselung',
  encryptions: {
    starttls: 'STARTTLS (meist Port 587)',
    tls: 'TLS ab dem ersten Byte (meist Port 465)',
    none: 'Keine (nur ohne Anmeldung, in einem eigenen Netz)',
  },
  username: 'Benutzername (optional)',
  usernameHint: 'Leer, wenn das Relay keine Anmeldung verlangt.',
  password: 'Passwort',
  passwordHint:
    'Es wird verschlüsselt gespeichert und nie angezeigt. Auf einem Server lesen es nur root und die Warteschlange.',
  passwordKept: 'Leer behält das gespeicherte Passwort.',
  passwordLost:
    'Die Seite, die nach Ihrer Identität gefragt hat, gibt keine Passwörter weiter. Geben Sie dieses noch einmal ein, oder lassen Sie das Feld leer, um das gespeicherte zu behalten.',
  senderDomain: 'Absender-Domain (optional)',
  senderDomainHint:
    'Auf sie endet die Absenderadresse von E-Mails, die keinen Absender aus eigenen Domains des Kontos nennen. Leer: der Hostname des jeweiligen Servers. Das Relay muss sie annehmen.',
  save: 'Speichern',
  saved:
    'Das Relay wurde gespeichert. Die Server wenden es innerhalb von Sekunden an. Senden Sie von einem der Server eine Testmail.',
  servers: 'Server',
  noServers: 'Es gibt noch keinen Server.',
  server: 'Server',
  uses: 'Verwendetes Relay',
  ownOne: 'eigenes',
  ofInstallation: 'der Installation',
  noneShort: 'keines',
  state: 'Status',
  queue: 'In der Warteschlange',
  testAndSettings: 'Test und Einstellungen',
  offline: 'offline',
  applied: 'angewendet',
  applying: 'wird angewendet',
  notApplied: 'nicht angewendet',
  inherits: (host: string) => `Dieser Server verwendet das Relay der Installation, ${host}.`,
  hasOwn: (host: string) => `Dieser Server hat ein eigenes Relay, ${host}.`,
  test: 'Testmail',
  testAbout:
    'Der Server sendet sie über seine Warteschlange und sein Relay, auf demselben Weg wie E-Mails der Konten.',
  testTo: 'An',
  testSend: 'Testmail senden',
  noTest: 'Seit dem Start des Agenten dieses Servers wurde keine Testmail gesendet.',
  noAnswer: (node: string) => `${node} antwortet gerade nicht.`,
  testStates: {
    none: 'keine',
    'no-relay': 'kein Relay',
    waiting: 'wartet auf das Relay',
    sent: 'vom Relay angenommen',
    deferred: 'noch nicht angenommen, wird wieder versucht',
    refused: 'vom Relay abgelehnt',
    failed: 'hat die Warteschlange nicht erreicht',
  },
  answer: (words: string) => `Antwort: ${words}`,
  ownRelay: 'Relay dieses Servers',
  ownAbout: 'Nur nötig, wenn dieser Server das Relay der Installation nicht verwenden kann.',
  remove: 'Relay entfernen',
  removeAsk: 'Entfernen',
  removeAbout: 'Konten auf Servern ohne eigenes Relay versenden dann keine E-Mails.',
  removeOwnAbout:
    'Der Server verwendet dann das Relay der Installation, oder er versendet keine E-Mails, wenn es keines gibt.',
  removeConsequence:
    'Die Einstellungen und das gespeicherte Passwort werden gelöscht. E-Mails in der Warteschlange eines Servers warten auf das nächste Relay.',
  removed: 'Das Relay wurde entfernt.',
};
