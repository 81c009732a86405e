import type { en } from './en.ts';

export const de: typeof en = {
  greeting: (name) => `Guten Tag ${name},`,
  support: 'Hilfe und Support',
  test: {
    subject: 'Testmail',
    paragraph: 'Der Mailserver des Panels funktioniert. Ein Administrator hat diese Mail angefordert.',
  },
  password: {
    subject: (brand) => `Neues Passwort für ${brand} festlegen`,
    paragraph: (username) =>
      `Jemand, vermutlich Sie, hat ein neues Passwort für den Benutzer ${username} angefordert.`,
    button: 'Neues Passwort festlegen',
    afterwards: (minutes) =>
      `Der Link funktioniert einmal, ${minutes} Minuten lang. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Mail: Ihr Passwort bleibt, wie es ist.`,
  },
  welcome: {
    subject: (brand) => `Ihr Konto bei ${brand}`,
    ready: 'Ihr Hosting-Konto ist bereit.',
    username: (username) => `Benutzername: ${username}`,
    panel: (url) => `Panel: ${url}`,
    server: (address) => `Adresse des Servers: ${address}`,
    link: 'Legen Sie Ihr Passwort mit diesem Link fest:',
    button: 'Passwort festlegen',
    afterwards: (hours) =>
      `Der Link funktioniert einmal, ${hours} Stunden lang, und nur, bis sich Ihr Passwort oder Ihre E-Mail-Adresse ändert. ` +
      'Fordern Sie danach auf der Anmeldeseite mit „Passwort vergessen“ einen neuen Link an. Das neue Passwort ersetzt das, ' +
      'das Ihnen Ihr Anbieter vielleicht gegeben hat.',
  },
};
