export const en = {
  signIn: 'Sign in',
  username: 'Username',
  password: 'Password',
  forgot: 'Forgot password?',
  twoFactor: 'Two-factor authentication',
  continue: 'Continue',
  timedOut: 'The sign-in timed out. Sign in again.',
  signedOut: 'You are signed out.',
  continueQuestion: (username: string) => `Continue as ${username}?`,
  continueAs: (username: string) => `Continue as ${username}`,
  changesUser: (current: string, username: string) =>
    `This browser is signed in as ${current}. This link signs it in as ${username} instead. If you did not expect this, leave this page.`,
  goHome: 'Go to the home page',
  stayAs: (current: string) => `Stay signed in as ${current}`,
};
