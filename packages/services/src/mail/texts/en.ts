export const en = {
  greeting: (name: string) => `Hello ${name},`,
  support: 'Help and support',
  test: {
    subject: 'Test mail',
    paragraph: 'The mail server of the panel works. An administrator requested this mail.',
  },
  password: {
    subject: (brand: string) => `Set a new password for ${brand}`,
    paragraph: (username: string) =>
      `Somebody, probably you, requested a new password for the user ${username}.`,
    button: 'Set a new password',
    afterwards: (minutes: number) =>
      `The link works once, for ${minutes} minutes. If you did not request it, ignore this mail: your password stays as it is.`,
  },
  welcome: {
    subject: (brand: string) => `Your account at ${brand}`,
    ready: 'Your hosting account is ready.',
    username: (username: string) => `Username: ${username}`,
    panel: (url: string) => `Panel: ${url}`,
    server: (address: string) => `Server address: ${address}`,
    link: 'Set your password with this link:',
    button: 'Set your password',
    afterwards: (hours: number) =>
      `The link works once, for ${hours} hours, and only until your password or email address changes. After that, ` +
      'request a new link with "Forgotten password" on the sign-in page. The new password replaces the one that ' +
      'your provider may have given you.',
  },
};
