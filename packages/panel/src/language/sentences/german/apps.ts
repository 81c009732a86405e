import type { Sentences } from '../catalogue.ts';

/** Apps: their settings, releases, archives and start commands. */
export const appSentences: Sentences = {
  'App limit reached ({max}).': 'Mehr als {max} Apps sind nicht möglich.',
  'Account {account} has no app {id}.': 'Das Konto {account} hat keine App {id}.',
  'This app is being removed.': 'Diese App wird gerade entfernt.',
  'This account is suspended: its apps do not run.': 'Dieses Konto ist gesperrt: Seine Apps laufen nicht.',
  'The settings of this app cannot be changed.': 'Die Einstellungen dieser App können nicht geändert werden.',
  'App {id} runs no program of its own: there is nothing to start or stop.':
    'Die App {id} hat kein eigenes Programm: Es gibt nichts zu starten oder zu stoppen.',
  'App {id} runs no program of its own: it has no log.':
    'Die App {id} hat kein eigenes Programm und kein Log.',
  'The hosting server of app {id} does not answer now. Try again in a minute.':
    'Der Server der App {id} antwortet gerade nicht. Versuchen Sie es in einer Minute noch einmal.',
  'Archives can only be deployed to php, nodejs and static apps.':
    'Ein Archiv kann nur für Apps mit PHP, Node.js oder statischen Seiten bereitgestellt werden.',
  'Git deploy is not configured for this app.': 'Für diese App ist kein Git-Repository eingerichtet.',
  'The domain id field is required.': '„Domain“ darf nicht leer sein.',
  'The {field} field is only for Node.js apps.': '„{field}“ ist nur für Apps mit Node.js.',
  'The git.repository field must name a host of the public internet.':
    '„Repository“ muss auf einem öffentlich erreichbaren Server liegen.',
  'The git.deploy_key field is required for a repository over SSH.':
    '„Deploy-Schlüssel“ darf bei einem Repository über SSH nicht leer sein.',
  // Start commands
  'The start command field {why}.': 'Der Startbefehl {why}.',
  // Releases
  'App {app} has no earlier release that served.': 'Die App {app} hat kein früheres Release, das aktiv war.',
  'App {app} has no release {id}, or it is no longer kept.':
    'Die App {app} hat kein Release {id}, oder es ist nicht mehr vorhanden.',
  'Release {id} is already the release of app {app}.': 'Das Release {id} der App {app} ist schon aktiv.',
  'Release {id} is too old: only the last {count} that served are kept.':
    'Das Release {id} ist zu alt: Nur die letzten {count}, die aktiv waren, bleiben erhalten.',
  'Release {id} never served.': 'Das Release {id} war nie aktiv.',
  // Uploads
  'The upload took too long. Try again.':
    'Das Hochladen hat zu lange gedauert. Versuchen Sie es noch einmal.',
  'The upload took too long.': 'Das Hochladen hat zu lange gedauert.',
  'The upload was stopped.': 'Das Hochladen wurde abgebrochen.',
  'There is no room for the upload now. Try again later.':
    'Für die Datei ist jetzt kein Platz. Versuchen Sie es später noch einmal.',
  'The {field} failed to upload.': '„{field}“ konnte nicht hochgeladen werden.',
  'The {field} field must be a file.': '„{field}“ muss eine Datei sein.',
  'Another upload of this account is under way. Try again when it is done.':
    'Für dieses Konto wird gerade eine andere Datei hochgeladen. Versuchen Sie es danach noch einmal.',
  'Too many uploads are under way. Try again later.':
    'Zu viele Dateien werden gerade hochgeladen. Versuchen Sie es später noch einmal.',
  'The archive field must not have more than {max} entries.':
    'Das Archiv darf höchstens {max} Einträge haben.',
  'The archive field must not unpack to more than {max} GiB.':
    'Das Archiv darf entpackt höchstens {max} GiB groß sein.',
  'The archive field must not unpack to more than {max} times its size.':
    'Das Archiv darf entpackt höchstens {max}-mal so groß sein.',
  'The archive field must have at least one entry.': 'Das Archiv muss mindestens einen Eintrag haben.',
  'The archive field must not have entries that share their data.':
    'Einträge des Archivs dürfen sich keine Daten teilen.',
  'The archive field must not have such an entry: "{name}" {why}.':
    'Das Archiv darf diesen Eintrag nicht haben: „{name}“ {why}.',
  // Push hooks
  'The signature does not match the secret of this hook.':
    'Die Signatur passt nicht zum Geheimnis dieses Hooks.',
};

export const appPhrases: Sentences = {
  // Start commands
  'must be one line without control characters': 'muss eine Zeile ohne Steuerzeichen sein',
  'must close the quote {quote} that it opens': 'muss das Anführungszeichen {quote} auch schließen',
  'must name a program': 'muss ein Programm nennen',
  'must name a program before its options': 'muss ein Programm vor seinen Optionen nennen',
  'must begin with a program: variables belong into env':
    'muss mit einem Programm beginnen: Variablen gehören in die Umgebungsvariablen',
  'must not have {character} ({what}): no shell reads it':
    'darf {character} nicht enthalten: Keine Shell liest ihn',
  // Entries of archives
  'lies in what is a file': 'liegt in einer Datei',
  'is the name of no file': 'ist kein Name einer Datei',
  'is there twice': 'ist zweimal enthalten',
  'has no name': 'hat keinen Namen',
  'has a name that is too long': 'hat einen zu langen Namen',
  'has a name with control characters': 'hat einen Namen mit Steuerzeichen',
  'has a name with a backslash': 'hat einen Namen mit \\',
  'has an absolute path': 'hat einen absoluten Pfad',
  'has a path with ..': 'hat einen Pfad mit ..',
  'is encrypted': 'ist verschlüsselt',
  'is a device or a socket': 'ist ein Gerät oder ein Socket',
  'is a link': 'ist ein Link',
  'is compressed in another way than deflate': 'ist anders komprimiert als mit deflate',
  'is a folder with content': 'ist ein Ordner mit Inhalt',
  'is a folder without a slash at its end': 'ist ein Ordner ohne Schrägstrich am Ende',
};
