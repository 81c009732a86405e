import type { en } from './en.ts';

export const de: typeof en = {
  title: 'Übersicht',
  firstSteps: 'Erste Schritte',
  begin: 'Beginnen',
  stepDone: '(erledigt)',
  steps: {
    server: {
      name: 'Einen Hosting-Server hinzufügen',
      about: 'Ein Befehl auf einem frischen Debian-Server verbindet ihn.',
    },
    package: {
      name: 'Ein Paket anlegen',
      about: 'Die Limits, die Sie verkaufen: Speicherplatz, Websites, Datenbanken.',
    },
    account: {
      name: 'Ein Konto anlegen',
      about: 'Ein erster Kunde, oder ein eigenes Konto zum Ausprobieren.',
    },
    second_factor: {
      name: 'Ihre Anmeldung mit einem zweiten Faktor schützen',
      about: 'Mit Ihrem Passwort allein lassen sich alle Server und Konten ändern.',
    },
    mail: {
      name: 'E-Mail einrichten (optional)',
      about: 'Für vergessene Passwörter und für Willkommensmails an neue Kunden.',
    },
    token: {
      name: 'Ihr Abrechnungssystem verbinden (optional)',
      about: 'Es legt Konten mit einem API-Token an und sperrt sie.',
    },
  },
  fleet: 'Server',
  online: 'Online',
  warnings: 'Mit Warnungen',
  failing: 'Konten mit Fehlern',
  ofAll: (count, total) => `${count} von ${total}`,
  accounts: 'Konten',
  growth: 'Neue Konten der letzten 30 Tage',
  newAccounts: 'Neue Konten',
  removedAccounts: 'Entfernte Konten',
  total: (total, created, removed) =>
    `${total} ${total === '1' ? 'Konto' : 'Konten'}. In den letzten 30 Tagen: ${created} angelegt, ${removed} entfernt.`,
  requests: 'Anfragen der letzten 24 Stunden',
  requestsName: 'Anfragen',
  errorsName: 'Fehler',
  servers: 'Last der Server',
  allServers: 'Alle Server',
  server: 'Server',
  state: 'Zustand',
  cpu: 'CPU, 24 Std.',
  memory: 'Arbeitsspeicher',
  disk: 'Speicherplatz',
  cpuOf: (name) => `CPU von ${name} in den letzten 24 Stunden`,
  notMeasured: 'nicht gemessen',
  noServers: 'Es gibt noch keinen Server.',
  addServer: 'Den ersten hinzufügen',
  activity: 'Letzte Aktivität',
  viewAll: 'Alles zeigen',
  noActivity: 'Noch keine Aktivität.',
};
