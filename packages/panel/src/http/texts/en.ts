export const en = {
  formExpired: 'This form has expired. Go back, reload the page and submit the form again.',
  wrongFields: 'The form has wrong fields.',
  formTooLarge: 'This form is too large.',
  roleNotAllowed: 'Your role does not allow this action.',
  signInFirst: 'Sign in first.',
  customerSessionEnded: 'The session as the customer has ended. You are in your own panel.',
  customerFormNotSent:
    'The session as the customer has ended, so the form was not sent and nothing has changed. You are in your own panel.',
  proof: 'Confirm your identity',
  proofCode: 'Authentication code',
  proofPassword: 'Your password',
  codeAgain:
    'You signed in some time ago. This action requires a code again. The panel then does not ask again for 10 minutes.',
  passwordAgain:
    'You signed in some time ago. This action requires your password again. The panel then does not ask again for 10 minutes.',
  confirm: 'Confirm and continue',
};
