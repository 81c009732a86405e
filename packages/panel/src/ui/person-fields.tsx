import { useTexts } from '../language/use-texts.ts';
import { type FormState, TextField } from './form.tsx';
import { uiTexts } from './texts/index.ts';

/** The fields of a new user. The hints explain the username and the password. `optionalPassword`: it may stay empty. */
export function PersonFields({
  state,
  nameLabel,
  usernameHint,
  passwordHint,
  optionalPassword = false,
}: {
  state: FormState;
  nameLabel: string;
  usernameHint: string;
  passwordHint: string;
  optionalPassword?: boolean;
}) {
  const texts = useTexts(uiTexts);
  const plain = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false, required: true };
  return (
    <>
      <TextField
        state={state}
        name="username"
        label={texts.username}
        hint={texts.usernameHint(usernameHint)}
        attributes={plain}
      />
      <TextField state={state} name="name" label={nameLabel} attributes={{ required: true }} />
      <TextField state={state} name="email" label={texts.emailAddress} type="email" attributes={plain} />
      <PasswordField state={state} label={texts.password} hint={passwordHint} required={!optionalPassword} />
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
  const texts = useTexts(uiTexts);
  return (
    <TextField
      state={state}
      name={name}
      label={texts.code}
      hint={texts.codeHint}
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
export function PasswordField({
  state,
  label,
  hint,
  required = true,
}: {
  state: FormState;
  label: string;
  hint: string;
  required?: boolean;
}) {
  const texts = useTexts(uiTexts);
  return (
    <TextField
      state={state}
      name="password"
      label={label}
      type="password"
      hint={texts.passwordHint(hint)}
      attributes={{ autocomplete: 'new-password', required }}
    />
  );
}
