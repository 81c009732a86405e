import type { en } from './en.ts';

export const de: typeof en = {
  title: 'Änderungen vieler Konten',
  of: (id) => `Änderung ${id}`,
  actions: {
    suspend: 'Konten sperren',
    unsuspend: 'Konten entsperren',
    'suspend-with-reseller': 'Konten eines Resellers sperren',
    'unsuspend-with-reseller': 'Konten eines Resellers entsperren',
    'change-package': 'Konten in ein anderes Paket verschieben',
    'hand-over': 'Die Konten eines Resellers übergeben',
    'package-limits': 'Neue Grenzen eines Pakets setzen',
  },
  what: 'Änderung',
  began: 'Begonnen',
  by: 'Von',
  state: 'Stand',
  running: 'Läuft',
  finished: 'Beendet',
  progress: 'Fertige Konten',
  refusedCount: (count, one) => `${count} ${one ? 'Konto wurde' : 'Konten wurden'} nicht geändert:`,
  firstOnly: (count) => `Die ersten ${count} sind zu sehen.`,
  account: 'Konto',
  reason: 'Grund',
  none: 'In den letzten 30 Tagen hat keine Änderung vieler Konten begonnen.',
  background: 'Sie läuft im Hintergrund weiter, auch wenn diese Seite geschlossen ist.',
};
