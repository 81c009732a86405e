import { type FormState, TextField } from './form.tsx';

/** The fields of a new user. The hints explain the username and the password. */
export function PersonFields({
  state,
  nameLabel,
  usernameHint,
  passwordHint,
}: {
  state: FormState;
  nameLabel: string;
  usernameHint: string;
  passwordHint: string;
}) {
  const plain = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false, required: true };
  return (
    <>
      <TextField
        state={state}
        name="username"
        label="Username"
        hint={`3 to 16 letters, digits, dashes and underscores. ${usernameHint}`.trim()}
        attributes={plain}
      />
      <TextField state={state} name="name" label={nameLabel} attributes={{ required: true }} />
      <TextField state={state} name="email" label="Email address" type="email" attributes={plain} />
      <PasswordField state={state} label="Password" hint={passwordHint} />
    </>
  );
}

/** A code of the second factor. `name`: if the page has more than one code field. */
export function CodeField({
  state,
  name = 'code',
  autofocus,
}: {
  state: FormState;
  name?: string;
  autofocus?: boolean;
}) {
  return (
    <TextField
      state={state}
      name={name}
      label="Code"
      hint="The current six digits from your authenticator app, or a recovery code."
      attributes={{
        autocomplete: 'one-time-code',
        autocapitalize: 'none',
        spellcheck: false,
        required: true,
        ...(autofocus ? { autofocus } : {}),
      }}
    />
  );
}

/** The present password of the user. */
export function CurrentPasswordField({
  state,
  name,
  label,
}: {
  state: FormState;
  name: string;
  label: string;
}) {
  return (
    <TextField
      state={state}
      name={name}
      label={label}
      type="password"
      attributes={{ autocomplete: 'current-password', required: true }}
    />
  );
}

/** A new password for a user. `hint`: what the password is for. */
export function PasswordField({ state, label, hint }: { state: FormState; label: string; hint: string }) {
  return (
    <TextField
      state={state}
      name="password"
      label={label}
      type="password"
      hint={`At least 8 characters. ${hint}`}
      attributes={{ autocomplete: 'new-password', required: true }}
    />
  );
}
