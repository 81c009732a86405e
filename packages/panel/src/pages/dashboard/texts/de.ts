function removed(one: string, many: string) {
  return (names: readonly string[]) =>
    names.length === 0
      ? `${many} wurden vom Server entfernt`
      : names.length === 1
        ? `${one} ${names[0]} wurde vom Server entfernt`
        : `${many} ${names.join(', ')} wurden vom Server entfernt`;
}

import type { en } from './en.ts';

export const de: typeof en = {
  sites: 'Websites',
  allSites: (count) => (count === 1 ? 'Liste der Websites' : `Alle ${count} Websites`),
  noSites: 'Es gibt noch keine Website.',
  firstSite: 'Erste Website anlegen',
  accountEvents: {
    'account.create': 'Das Konto wurde angelegt',
    'account.create_failed': 'Das Konto konnte nicht angelegt werden',
    'account.suspend': 'Das Konto wurde gesperrt',
    'account.unsuspend': 'Das Konto wurde entsperrt',
    'account.terminate': 'Das Löschen des Kontos wurde begonnen',
    'account.set-password': 'Das Passwort des Kontos wurde geändert',
    'account.change-package': 'Das Paket des Kontos wurde gewechselt',
    'account.set-resources': 'Die Limits des Kontos wurden geändert',
    'account.retry': 'Der Server wurde gebeten, alles erneut zu versuchen',
    'account.login-link': 'Ein Anmeldelink wurde erstellt',
    'totp.reset': 'Ihr Anbieter hat die Zwei-Faktor-Anmeldung ausgeschaltet',
    'user.profile': 'Ihr Name oder Ihre E-Mail-Adresse wurde geändert',
    'session.create': 'Neue Anmeldung in diesem Panel',
  },
  recordEvents: {
    'domain.create': (name) => `Die Domain ${name} wurde angelegt`,
    'domain.install-ssl': (name) => `Ein Zertifikat für ${name} wurde angefordert`,
    'domain.auto-ssl': (name) => `Ein Zertifikat für ${name} wurde angefordert, weil das DNS hierher zeigt`,
    'domain.settings': (name) => `Die Einstellungen von ${name} wurden geändert`,
    'domain.delete': (name) => `Das Entfernen der Domain ${name} wurde begonnen`,
    'database.create': (name) => `Die Datenbank ${name} wurde angelegt`,
    'database.password': (name) => `Das Passwort der Datenbank ${name} wurde geändert`,
    'database.show-password': (name) => `Das Passwort der Datenbank ${name} wurde angezeigt`,
    'database.delete': (name) => `Das Entfernen der Datenbank ${name} wurde begonnen`,
    'app.create': (name) => `Die App ${name} wurde installiert`,
    'app.update': (name) => `Die Einstellungen der App ${name} wurden geändert`,
    'app.start': (name) => `Die App ${name} wurde gestartet`,
    'app.stop': (name) => `Die App ${name} wurde gestoppt`,
    'app.deploy': (name) => `Ein neues Release der App ${name} wurde ausgerollt`,
    'app.push-deploy': (name) => `Ein Push hat ein neues Release der App ${name} ausgerollt`,
    'app.push-hook': (name) =>
      `Das Ausrollen nach einem Push der App ${name} wurde eingeschaltet, oder sein Geheimnis erneuert`,
    'app.push-hook-off': (name) => `Das Ausrollen nach einem Push der App ${name} wurde ausgeschaltet`,
    'app.rollback': (name) => `Die App ${name} wurde auf ein früheres Release zurückgesetzt`,
    'app.delete': (name) => `Das Entfernen der App ${name} wurde begonnen`,
    'ssh-key.create': (name) => `Der SSH-Schlüssel ${name} wurde hinzugefügt`,
    'ssh-key.delete': (name) => `Der SSH-Schlüssel ${name} wurde entfernt`,
    'cron-job.create': (name) => `Der Cronjob ${name} wurde angelegt`,
    'cron-job.update': (name) => `Der Cronjob ${name} wurde geändert`,
    'cron-job.delete': (name) => `Der Cronjob ${name} wurde entfernt`,
  },
  removedEvents: {
    'domain.removed': removed('Die Domain', 'Domains'),
    'database.removed': removed('Die Datenbank', 'Datenbanken'),
    'app.removed': removed('Die App', 'Apps'),
  },
  addressEvents: {
    'database.allow-ip': (ip, name) => `${ip} darf sich mit der Datenbank ${name} verbinden`,
    'database.revoke-ip': (ip, name) => `${ip} darf sich nicht mehr mit der Datenbank ${name} verbinden`,
  },
  changedEvents: {
    domain: 'Etwas an einer Domain wurde geändert',
    database: 'Etwas an einer Datenbank wurde geändert',
    app: 'Etwas an einer App wurde geändert',
    'ssh-key': 'Etwas an einem SSH-Schlüssel wurde geändert',
    'cron-job': 'Etwas an einem Cronjob wurde geändert',
    account: 'Etwas am Konto wurde geändert',
  },
  missingTools: {
    '/files':
      'Dieses Panel hat noch keinen Dateimanager. Stellen Sie Dateien mit einer App aus einem ZIP-Archiv oder aus Git bereit, oder kopieren Sie sie per SSH, wenn das Konto Terminalzugang hat.',
    '/terminal':
      'Dieses Panel hat noch kein Terminal. Wenn das Konto Terminalzugang hat, benutzen Sie SSH: siehe unten.',
    '/backups':
      'Dieses Panel hat noch keine Backups. Bewahren Sie Kopien Ihrer Dateien und Datenbanken woanders auf.',
  },
  title: 'Übersicht',
  newSite: 'Neue Website',
  recentActivity: 'Letzte Aktivität',
  account: 'Konto',
  status: 'Status',
  package: 'Paket',
  primaryDomain: 'Hauptdomain',
  noneYet: 'noch keine: Website anlegen',
  serverAddress: 'Serveradresse',
  homeFolder: 'Home-Verzeichnis',
  phpVersion: 'PHP-Version',
  notReported: 'noch nicht gemeldet',
  databaseHost: 'Datenbank-Host',
  forOwnSites: '(für Ihre eigenen Websites und Apps)',
  terminalAccess: 'Terminalzugang',
  noTerminal: 'Für dieses Konto nicht verfügbar. Ihr Anbieter kann ihn einschalten.',
  noActivity: 'Noch keine Aktivität. Diese Liste zeigt die Änderungen von Ihnen und Ihrem Anbieter.',
  newestFirst: 'Letzte Aktivität, neueste zuerst',
  what: 'Was',
  by: 'Von',
  when: 'Wann',
  you: 'Ihnen',
  theServer: 'dem Server',
  yourProvider: 'Ihrem Anbieter',
  history: 'Verlauf',
  usage: 'Verbrauch',
  notMeasured:
    'Es gibt noch keine Messwerte für Speicherplatz, Datenverkehr, CPU und Arbeitsspeicher: Der Server hat noch nicht geantwortet. Laden Sie diese Seite in einer Minute neu.',
  stale: '. Seitdem hat der Server nicht geantwortet. Die Werte können veraltet sein.',
  perMonth: '. Der Datenverkehr zählt je Kalendermonat (UTC).',
  domains: 'Domains',
  databases: 'Datenbanken',
  apps: 'Apps',
  cronJobs: 'Cronjobs',
  unnamed: '(ohne Namen)',
  anAddress: 'Eine Adresse',
  bySsh: (command) => ['Per SSH, mit dem Passwort dieses Kontos: ', command],
  measuredAt: (moment) => ['Gemessen: ', moment],
};
