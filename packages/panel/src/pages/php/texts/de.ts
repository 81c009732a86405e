import type { en } from './en.ts';

export const de: typeof en = {
  title: 'PHP',
  about:
    'Das sind die höchsten Werte, die Inhaber von Websites für PHP einstellen können, auf allen Servern.',
  limits: 'Grenzen für Websites',
  labels: {
    memory_limit_mb: 'Arbeitsspeicher eines Skripts (MiB)',
    upload_mb: 'Größe eines Uploads (MiB)',
    execution_s: 'Rechenzeit eines Skripts (Sekunden)',
    input_vars: 'Felder eines Formulars',
  },
  bounds: (min, max) => `Von ${min} bis ${max}.`,
  allowErrors: 'Websites können Besuchern Fehler von PHP zeigen',
  allowErrorsHint: 'Fehler können Besuchern Pfade und Namen verraten.',
  save: 'Grenzen speichern',
  saved: 'Die Grenzen wurden gespeichert. Sie gelten ab der nächsten Änderung einer Website.',
};
