import type { en } from './en.ts';

export const de: typeof en = {
  usage: 'Verbrauch im Lauf der Zeit',
  cpu: 'CPU',
  memory: 'Arbeitsspeicher',
  disk: 'Speicherplatz',
  traffic: 'Datenverkehr',
  trafficOfDays: 'Datenverkehr der letzten 30 Tage',
  requests: 'Anfragen',
  errors: 'Fehler',
  requestsAndErrors: 'Anfragen und Fehler',
  runningAccounts: 'Konten mit laufenden Prozessen',
  sumOfDays: (sent, requests, errors) =>
    `${sent} gesendet, ${requests} Anfragen, davon ${errors} mit Fehler (Status 500 oder höher). Tage beginnen um 0:00 UTC.`,
  nothingVisited:
    'Niemand hat diese Website in den letzten 30 Tagen besucht, oder ihr Server meldet noch keinen Datenverkehr.',
  services: 'Dienste',
  running: 'Läuft',
  stopped: 'Läuft nicht',
  servicesUnknown: 'Der Server ist nicht online, deshalb ist der Zustand seiner Dienste nicht bekannt.',
  failing: 'Konten mit Fehlern',
  noneFailing: 'Die Server haben die Änderungen aller Konten übernommen.',
  moreFailing: 'Es gibt weitere Konten mit Fehlern.',
  on: (server) => ['auf ', server],
  noReason: 'Der Server hat keinen Grund genannt.',
  tryAgain: 'Erneut versuchen',
  tryAgainThis: (username) => `Erneut versuchen: ${username}`,
};
