export const en = {
  title: 'Send the form again?',
  ended: 'Your session had ended when you sent this form, so nothing has changed yet.',
  kept: 'The panel kept what you typed, except passwords.',
  send: 'Send the form',
  cancel: 'Cancel',
  signIn: 'Your session has ended. Sign in, then you can send the form.',
  tooLarge: 'Your session has ended. The form was too large to keep. Sign in and fill it in again.',
};
