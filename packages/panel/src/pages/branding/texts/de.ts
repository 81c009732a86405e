import type { en } from './en.ts';

export const de: typeof en = {
  title: 'Markenauftritt',
  titleOf: (reseller) => `Markenauftritt von ${reseller}`,
  aboutInstallation:
    'Name, Farbe und Logo dieses Panels, seiner Anmeldeseite und seiner E-Mails. Ein Reseller kann eigene haben.',
  aboutReseller:
    'Name, Farbe und Logo, die der Reseller und seine Kunden nach der Anmeldung und in ihren E-Mails sehen.',
  brand: 'Marke',
  name: 'Bezeichnung',
  nameHint: 'Steht im Rahmen, in den Titeln der Seiten und in E-Mails.',
  color: 'Farbe (freiwillig)',
  colorHint:
    'Zum Beispiel #7a3cff. Das Panel übernimmt den Farbton und behält seine eigene Helligkeit, damit Text hell und dunkel lesbar bleibt.',
  support: 'Support-Link (freiwillig)',
  supportHint: 'Eine Adresse mit https://, oder mailto: mit einer E-Mail-Adresse.',
  host: 'Hostname (freiwillig)',
  hostHint:
    'Besucher dieses Hostnamens sehen die Marke schon vor der Anmeldung. Sein DNS und sein Zertifikat müssen zu diesem Panel führen.',
  save: 'Marke speichern',
  saved: 'Die Marke wurde gespeichert.',
  logo: 'Firmenlogo',
  logoOf: (name) => `Logo von ${name}`,
  image: 'Bild',
  imageHint: (side) =>
    `PNG, JPEG oder WebP, höchstens 100 KiB und ${side} × ${side} Pixel. Es muss auf hellem und dunklem Grund sichtbar sein.`,
  upload: 'Logo hochladen',
  logoSaved: 'Das Logo wurde gespeichert.',
  removeLogo: 'Logo entfernen',
  logoRemoved: 'Das Logo wurde entfernt.',
  remove: 'Marke entfernen',
  ask: 'Entfernen',
  afterwardsInstallation: 'Das Panel zeigt dann den Namen Innkeeper, seine eigene Farbe und sein Zeichen.',
  afterwardsReseller: 'Kunden sehen dann die Marke der Installation.',
  consequence: 'Name, Farbe, Support-Link und Logo werden gelöscht.',
  removed: 'Die Marke wurde entfernt.',
  resellers: 'Marken der Reseller',
  reseller: 'Reseller',
  hostName: 'Hostname',
  asInstallation: 'wie die Installation',
};
