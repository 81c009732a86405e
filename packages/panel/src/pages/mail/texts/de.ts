import type { en } from './en.ts';

export const de: typeof en = {
  title: 'E-Mail',
  about:
    'Über diesen Server verschickt das Panel seine E-Mails, zum Beispiel Links für vergessene Passwörter.',
  server: 'Mailserver',
  host: 'Hostname',
  hostHint: 'Zum Beispiel smtp.example.com. Das Zertifikat des Servers muss für diesen Namen gelten.',
  port: 'Portnummer',
  portHint: (ports) => `Diese Installation erlaubt ${ports}.`,
  encryption: 'Verschlüsselung',
  encryptions: {
    starttls: 'STARTTLS (meist Port 587)',
    tls: 'TLS vom ersten Byte an (meist Port 465)',
    none: 'Keine (nur ein Server auf diesem Host)',
  },
  username: 'Benutzername (freiwillig)',
  usernameHint: 'Leer, wenn der Server keine Anmeldung verlangt.',
  password: 'Passwort',
  passwordHint: 'Es wird verschlüsselt gespeichert und nie angezeigt.',
  passwordKept: 'Leer behält das gespeicherte Passwort.',
  passwordLost:
    'Die Seite, die nach Ihrer Identität gefragt hat, gibt keine Passwörter weiter. Geben Sie es noch einmal ein, oder lassen Sie es leer, um das gespeicherte zu behalten.',
  senderName: 'Name des Absenders',
  senderAddress: 'Adresse des Absenders',
  welcomesApi: 'Konten begrüßen, die über die API angelegt werden',
  welcomesApiHint:
    'Kunden eines Abrechnungssystems erhalten dann eine E-Mail mit ihrem Benutzernamen und einem Link, der ihr Passwort setzt.',
  save: 'Speichern',
  saved: 'Der Mailserver wurde gespeichert. Senden Sie jetzt eine Testmail.',
  test: 'Testmail',
  testAbout:
    'Sie geht an die E-Mail-Adresse Ihres eigenen Profils. Der Postausgang unten zeigt die Antwort des Servers.',
  testSend: 'Testmail senden',
  testQueued: 'Die Testmail ist im Postausgang.',
  outbox: 'Postausgang',
  none: 'In der letzten Woche gab es keine E-Mails.',
  kind: 'Art',
  kindNames: { test: 'Testmail', 'password-link': 'Vergessenes Passwort', welcome: 'Begrüßung' },
  user: 'Benutzer',
  state: 'Zustand',
  states: { waiting: 'wartet', sent: 'gesendet', failed: 'gescheitert', dropped: 'nicht gesendet' },
  attempts: 'Versuche',
  created: 'Angefordert',
  next: 'Nächster Versuch:',
  remove: 'Mailserver entfernen',
  removeAbout:
    'Das Panel verschickt dann keine E-Mails, und die Anmeldeseite nennt stattdessen Ihren Support-Link.',
  removeAsk: 'Entfernen',
  removeConsequence: 'Die Einstellungen und das gespeicherte Passwort werden gelöscht.',
  removed: 'Der Mailserver wurde entfernt.',
};
