import type { Sentences } from '../catalogue.ts';

/** Sign-in, second factor, staff, tokens, mail and brands. */
export const userSentences: Sentences = {
  'Unauthenticated.': 'Sie sind nicht angemeldet.',
  'The request took too long.': 'Die Anfrage hat zu lange gedauert.',
  'Too Many Attempts.': 'Zu viele Versuche. Warten Sie etwas.',
  'There is no user {id}.': 'Es gibt keinen Benutzer {id}.',
  'There is no user "{name}".': 'Es gibt keinen Benutzer „{name}“.',
  'There is no such user.': 'Diesen Benutzer gibt es nicht.',
  'There is no session {id}.': 'Es gibt keine Sitzung {id}.',
  // Sign-in and passwords
  'These credentials do not match our records.': 'Benutzername oder Passwort ist falsch.',
  'This user is disabled. Ask an administrator.':
    'Dieser Benutzer ist gesperrt. Fragen Sie einen Administrator.',
  'Too many sign-ins at once. Try again later.':
    'Zu viele Anmeldungen gleichzeitig. Versuchen Sie es später noch einmal.',
  'Sign in again.': 'Melden Sie sich noch einmal an.',
  'You were signed out because this account is suspended. Ask your provider why.':
    'Sie wurden abgemeldet, weil dieses Konto gesperrt ist. Fragen Sie Ihren Anbieter nach dem Grund.',
  'You were signed out because this account is being removed.':
    'Sie wurden abgemeldet, weil dieses Konto gelöscht wird.',
  'You were signed out because this browser was not used for two hours.':
    'Sie wurden abgemeldet, weil dieser Browser zwei Stunden lang nicht benutzt wurde.',
  'Your session has ended. Sign in again.': 'Ihre Sitzung ist zu Ende. Melden Sie sich noch einmal an.',
  'The current password is wrong.': 'Das aktuelle Passwort ist falsch.',
  'The password field must not be greater than {max} bytes.': 'Das Passwort darf höchstens {max} Byte haben.',
  'This password belongs to the hosting account. Change it there.':
    'Dieses Passwort gehört zum Hosting-Konto. Ändern Sie es dort.',
  'This link has expired or was already used. Request a new one.':
    'Dieser Link ist abgelaufen oder wurde schon benutzt. Fordern Sie einen neuen an.',
  'This link has expired or was used. Ask the administrator who invited you for a new one.':
    'Dieser Link ist abgelaufen oder wurde schon benutzt. Bitten Sie den Administrator, der Sie eingeladen hat, um einen neuen.',
  'This panel sends no mail. Ask your provider for a new password.':
    'Dieses Panel verschickt keine E-Mails. Bitten Sie Ihren Anbieter um ein neues Passwort.',
  // Login links
  'This account no longer exists.': 'Dieses Konto gibt es nicht mehr.',
  'Invalid signature.': 'Dieser Link ist nicht gültig.',
  'The target of this link no longer exists.': 'Das Ziel dieses Links gibt es nicht mehr.',
  'Terminal access is disabled for this account.': 'Dieses Konto hat keinen Terminal-Zugang.',
  // Second factor
  'Two-factor authentication is enabled already.': 'Die Zwei-Faktor-Anmeldung ist schon eingeschaltet.',
  'The provided two factor authentication code was invalid.': 'Dieser Code ist falsch.',
  'Too many wrong codes were given. Use a recovery code, or ask an administrator to unlock the second factor.':
    'Zu viele falsche Codes. Verwenden Sie einen Wiederherstellungscode, oder bitten Sie einen Administrator, den zweiten Faktor zu entsperren.',
  'Too many wrong codes were given. Use a recovery code, or try again in {minutes} minutes.': (part) =>
    `Zu viele falsche Codes. Verwenden Sie einen Wiederherstellungscode, oder versuchen Sie es in ${part('minutes') === '1' ? 'einer Minute' : `${part('minutes')} Minuten`} noch einmal.`,
  'This set-up is out of date. Scan the code that is shown now.':
    'Dieser Code ist veraltet. Scannen Sie den Code, der jetzt angezeigt wird.',
  'Turn off your own second factor on your security page, with one of its codes.':
    'Schalten Sie Ihren eigenen zweiten Faktor auf Ihrer Seite „Sicherheit“ mit einem seiner Codes aus.',
  'Unlock your own second factor with a recovery code.':
    'Entsperren Sie Ihren eigenen zweiten Faktor mit einem Wiederherstellungscode.',
  '{username} has no second factor.': '{username} hat keinen zweiten Faktor.',
  'The second factor of {username} is not locked.': 'Der zweite Faktor von {username} ist nicht gesperrt.',
  '{username} is suspended, so it cannot set a password.':
    '{username} ist gesperrt und kann deshalb kein Passwort festlegen.',
  // Staff
  'Another administrator must change your own access.':
    'Ihren eigenen Zugang muss ein anderer Administrator ändern.',
  'At least one administrator who can sign in must be left.':
    'Mindestens ein Administrator, der sich anmelden kann, muss bleiben.',
  'There is no person {id} on the staff.': 'Es gibt keinen Mitarbeiter {id}.',
  // API tokens
  '"{ability}" is no ability; there are {list}.': '„{ability}“ ist kein Recht. Es gibt: {list}.',
  'Choose a preset or single abilities, not both.':
    'Wählen Sie eine Vorlage oder einzelne Rechte, nicht beides.',
  'Choose a preset, or the abilities that the token is to have.':
    'Wählen Sie eine Vorlage oder die Rechte des Tokens.',
  'A token was created since this form was shown. Look at the list before you create another.':
    'Seit dieses Formular angezeigt wurde, ist ein Token angelegt worden. Sehen Sie in die Liste, bevor Sie noch eines anlegen.',
  'There is no admin or reseller of this name.':
    'Es gibt keinen Administrator oder Reseller mit diesem Namen.',
  'There is no token {id}.': 'Es gibt kein Token {id}.',
  // Mail
  'It expired before it was sent.': 'Sie ist abgelaufen, bevor sie verschickt wurde.',
  'No mail server is set.': 'Es ist kein Mailserver eingerichtet.',
  'The user cannot sign in.': 'Der Benutzer kann sich nicht anmelden.',
  'The server has not created the account yet.': 'Der Server hat das Konto noch nicht angelegt.',
  'Only a user of the panel has an email address.': 'Nur ein Benutzer des Panels hat eine E-Mail-Adresse.',
  'Save the settings of the mail server first.': 'Speichern Sie zuerst die Einstellungen des Mailservers.',
  'This installation allows the ports {ports}.': 'Diese Installation erlaubt die Ports {ports}.',
  'Without encryption the server must be on this host: localhost or 127.0.0.1.':
    'Ohne Verschlüsselung muss der Mailserver auf diesem Rechner sein: localhost oder 127.0.0.1.',
  'The username field is required with a password.':
    '„Benutzername“ darf mit einem Passwort nicht leer sein.',
  'Enter the password of the mail server.': 'Geben Sie das Passwort des Mailservers ein.',
  'Enter the password again: the server or the username is another one.':
    'Geben Sie das Passwort noch einmal ein: Der Server oder der Benutzername ist ein anderer.',
  'Enter the password of the relay.': 'Geben Sie das Passwort des Relays ein.',
  'Without encryption the relay must want no sign-in: leave the username empty.':
    'Ohne Verschlüsselung darf das Relay keine Anmeldung verlangen: Lassen Sie den Benutzernamen leer.',
  'With encryption the host field must be the name that the certificate of the relay has.':
    'Mit Verschlüsselung muss „Hostname“ der Name im Zertifikat des Relays sein.',
  'The username field must be one line without a colon.':
    '„Benutzername“ muss eine Zeile ohne Doppelpunkt sein.',
  'The relay password field must be one line without control characters, and without blanks at its ends.':
    '„Passwort“ muss eine Zeile ohne Steuerzeichen und ohne Leerzeichen am Anfang und am Ende sein.',
  'The sender domain field must be a domain such as mail.example.com.':
    '„Absender-Domain“ muss eine Domain wie mail.example.com sein.',
  'The server did not answer. It may be offline; try again later.':
    'Der Server hat nicht geantwortet. Er ist vielleicht offline; versuchen Sie es später noch einmal.',
  'The server has no relay yet. It applies a saved relay within seconds.':
    'Der Server hat noch kein Relay. Ein gespeichertes Relay wendet er innerhalb von Sekunden an.',
  'The panel has no mail server now, so it cannot send a welcome mail. No account was created.':
    'Das Panel hat jetzt keinen Mailserver und kann keine Begrüßung schicken. Es wurde kein Konto angelegt.',
  'INNKEEPER_SMTP_PORTS does not allow the port {port}.':
    'INNKEEPER_SMTP_PORTS erlaubt den Port {port} nicht.',
  'The address {address} of the mail server is not allowed.':
    'Die Adresse {address} des Mailservers ist nicht erlaubt.',
  'Without encryption the mail server must be on this host.':
    'Ohne Verschlüsselung muss der Mailserver auf diesem Rechner sein.',
  'The mail server has no address.': 'Der Mailserver hat keine Adresse.',
  // Brands
  'Choose an image.': 'Wählen Sie ein Bild.',
  'The file is not a PNG, JPEG or WebP image.': 'Die Datei ist kein Bild im Format PNG, JPEG oder WebP.',
  'The image has {width} × {height} pixels. Each side must have 16 to 1024 pixels.':
    'Das Bild hat {width} × {height} Pixel. Jede Seite muss 16 bis 1024 Pixel haben.',
  'The image is larger than 100 KiB.': 'Das Bild ist größer als 100 KiB.',
  'Save the name of the brand first.': 'Speichern Sie zuerst den Namen der Marke.',
  'This is the host name of the installation.': 'Das ist der Hostname der Installation.',
  // Servers and the audit log
  'The before field must be a date at least {days} days ago: younger rows are kept.':
    'Das Datum muss mindestens {days} Tage zurückliegen: Jüngere Einträge bleiben.',
  'INNKEEPER_HTTP_PLAIN allows HTTP without encryption on {host} port {port}: passwords and tokens can be read on the way unless a proxy in front speaks HTTPS.':
    'INNKEEPER_HTTP_PLAIN erlaubt HTTP ohne Verschlüsselung auf {host}, Port {port}: Passwörter und Tokens können unterwegs gelesen werden, außer ein Proxy davor spricht HTTPS.',
};
