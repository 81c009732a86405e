import type { Action, FieldErrors } from '@innkeeper/domain';
import type { Child } from 'hono/jsx';
import type { Form, PanelContext } from '../env.ts';
import { CSRF_FIELD, csrfToken } from '../http/csrf.ts';
import type { Refused } from '../http/form.ts';
import { mayDo, maySend } from '../http/session.ts';
import { useTexts } from '../language/use-texts.ts';
import { Notice } from './parts.tsx';
import { uiTexts } from './texts/index.ts';

/** The values of a form and its errors. */
export interface FormState {
  values: Form;
  errors: FieldErrors;
  message?: string | undefined;
}

/** State of a form that was not submitted yet. */
export function freshForm(values: Form = {}): FormState {
  return { values, errors: {} };
}

export function CsrfField({ c }: { c: PanelContext }) {
  return <input type="hidden" name={CSRF_FIELD} value={csrfToken(c)} />;
}

interface PostFormProps {
  c: PanelContext;
  action: string;
  state?: FormState | Refused;
  /** Label of the button. */
  submit: string;
  danger?: boolean;
  children?: Child;
}

/**
 * A form with fields and a submit button. A user without the right to send it sees nothing. Errors that belong to no field
 * are above the fields.
 */
export function PostForm({ c, action, state, submit, danger = false, children }: PostFormProps) {
  if (!maySend(c, action)) return null;
  return (
    <form method="post" action={action} class="stack">
      <CsrfField c={c} />
      <Refusal state={state} />
      <WrongFields state={state} />
      {children}
      <div class="actions">
        <button type="submit" class={danger ? 'btn btn-danger' : 'btn btn-primary'}>
          {submit}
        </button>
      </div>
    </form>
  );
}

/** An error that belongs to no field: a limit, a state, a concurrent change. */
export function Refusal({ state }: { state: FormState | undefined }) {
  if (state?.message === undefined) return null;
  return (
    <Notice tone="bad" role="alert">
      {state.message}
    </Notice>
  );
}

/** Links to the fields of a refused form. A single wrong field has the focus and needs none. */
export function WrongFields({ state }: { state: FormState | undefined }) {
  const texts = useTexts(uiTexts);
  const wrong = Object.entries(state?.errors ?? {});
  if (wrong.length < 2) return null;
  return (
    <Notice tone="bad" role="alert">
      <p>{texts.wrongFields(wrong.length)}</p>
      <ul>
        {wrong.map(([field, sentences]) => (
          <li>
            <a href={`#${idOf(nameOf(field))}`}>{sentences.join(' ')}</a>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

interface ButtonFormProps {
  c: PanelContext;
  action: string;
  /** Label of the button. */
  submit: string;
  /** Label for screen readers. */
  label?: string;
  danger?: boolean;
  fields?: Readonly<Record<string, string>>;
  /** The answer opens in a new tab. */
  newTab?: boolean;
}

/** A form with a single button. A user without the right to send it sees nothing. */
export function ButtonForm({
  c,
  action,
  submit,
  label,
  danger = false,
  fields = {},
  newTab = false,
}: ButtonFormProps) {
  if (!maySend(c, action)) return null;
  return (
    <form
      method="post"
      action={action}
      class="inline"
      target={newTab ? '_blank' : undefined}
      rel={newTab ? 'noopener' : undefined}
    >
      <CsrfField c={c} />
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class={danger ? 'btn btn-danger-line' : 'btn'} aria-label={label}>
        {submit}
      </button>
    </form>
  );
}

/** A link to a page that is there for an action. A user without the right to it sees nothing. */
export function ActionLink({
  c,
  action,
  href,
  primary = false,
  children,
}: {
  c: PanelContext;
  action: Action;
  href: string;
  primary?: boolean;
  children: Child;
}) {
  if (!mayDo(c, action)) return null;
  return (
    <a class={primary ? 'btn btn-primary' : 'btn'} href={href}>
      {children}
    </a>
  );
}

/** Confirmation of an action that cannot be undone: the first button shows the consequences and the second button. */
export function Confirm({
  c,
  action,
  ask,
  submit,
  fields = {},
  open = false,
  danger = true,
  children,
}: {
  c: PanelContext;
  action: string;
  /** Text of the first button. */
  ask: string;
  /** Text of the second button. */
  submit: string;
  fields?: Readonly<Record<string, string>>;
  /** Open at once, because the action was refused. */
  open?: boolean;
  /** False: the buttons do not look dangerous. */
  danger?: boolean;
  /** The consequences, and fields. */
  children: Child;
}) {
  if (!maySend(c, action)) return null;
  return (
    <details class="confirm" open={open}>
      <summary class={danger ? 'btn btn-danger-line' : 'btn'}>{ask}</summary>
      <form method="post" action={action} class="stack">
        <CsrfField c={c} />
        {Object.entries(fields).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {children}
        <div class="actions">
          <button type="submit" class={danger ? 'btn btn-danger' : 'btn btn-primary'}>
            {submit}
          </button>
        </div>
      </form>
    </details>
  );
}

interface FieldProps {
  state: FormState;
  name: string;
  label: string;
  /** What to enter. */
  hint?: Child;
}

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A text input. `attributes` go to the input element. */
export function TextField({
  state,
  name,
  label,
  hint,
  type = 'text',
  attributes = {},
}: FieldProps & { type?: string; attributes?: Attributes }) {
  const value = type === 'password' ? undefined : shown(state, name);
  return (
    <Field state={state} name={name} label={label} hint={hint}>
      <input
        type={type}
        value={value}
        class="input"
        {...fieldAttributes(state, name, hint)}
        {...attributes}
      />
    </Field>
  );
}

export function TextAreaField({
  state,
  name,
  label,
  hint,
  attributes = {},
}: FieldProps & { attributes?: Attributes }) {
  return (
    <Field state={state} name={name} label={label} hint={hint}>
      <textarea class="textarea" {...fieldAttributes(state, name, hint)} {...attributes}>
        {shown(state, name)}
      </textarea>
    </Field>
  );
}

export function SelectField({
  state,
  name,
  label,
  hint,
  options,
  attributes = {},
}: FieldProps & { options: readonly (readonly [value: string, name: string])[] } & {
  attributes?: Attributes;
}) {
  const chosen = shown(state, name);
  return (
    <Field state={state} name={name} label={label} hint={hint}>
      <select class="select" {...fieldAttributes(state, name, hint)} {...attributes}>
        {options.map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** A checkbox. It sends `1`, or `value` if several checkboxes share the name. */
export function CheckField({ state, name, label, hint, value = '1' }: FieldProps & { value?: string }) {
  const typed = state.values[name.replace(/\[\]$/, '')];
  const checked = Array.isArray(typed) ? typed.includes(value) : typed === value;
  const id = idOf(value === '1' ? name : `${name}-${value}`);
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        name={name}
        value={value}
        checked={checked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      <label for={id}>{label}</label>
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldErrorsOf state={state} name={name} />
    </div>
  );
}

function Field({ state, name, label, hint, children }: FieldProps & { children: Child }) {
  return (
    <div class="field">
      <label class="label" for={idOf(name)}>
        {label}
      </label>
      {children}
      {hint === undefined ? null : (
        <p class="hint" id={`${idOf(name)}-hint`}>
          {hint}
        </p>
      )}
      <FieldErrorsOf state={state} name={name} />
    </div>
  );
}

function FieldErrorsOf({ state, name }: { state: FormState; name: string }) {
  const sentences = sentencesFor(state, name);
  if (sentences.length === 0) return null;
  return (
    <p class="error" id={`${idOf(name)}-error`} role="alert">
      {sentences.join(' ')}
    </p>
  );
}

/** Errors for a field: those of `env_vars.NAME` belong to `env_vars[NAME]`, those of `ips.0` to `ips`. */
function sentencesFor({ errors }: FormState, name: string): string[] {
  const dotted = name.replaceAll(/\[\]/g, '').replaceAll(/\[([^\]]+)\]/g, '.$1');
  const own = Object.entries(errors).filter(
    ([field]) =>
      field === dotted || (field.startsWith(`${dotted}.`) && /^\d+$/.test(field.slice(dotted.length + 1))),
  );
  return own.flatMap(([, sentences]) => sentences);
}

/** Name of the field that shows an error: `ips` for `ips.0`, `env_vars[NAME]` for `env_vars.NAME`. */
function nameOf(field: string): string {
  return field.replace(/\.\d+$/, '').replace(/^([^.]+)\.(.+)$/, '$1[$2]');
}

/** A wrong field asks for the focus. The browser gives it to the first one. */
function fieldAttributes(state: FormState, name: string, hint: Child | undefined) {
  const isWrong = sentencesFor(state, name).length > 0;
  const described = [
    ...(hint === undefined ? [] : [`${idOf(name)}-hint`]),
    ...(isWrong ? [`${idOf(name)}-error`] : []),
  ];
  return {
    id: idOf(name),
    name,
    autofocus: isWrong ? true : undefined,
    'aria-invalid': isWrong ? 'true' : undefined,
    'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
  };
}

function shown({ values }: FormState, name: string): string {
  const [, field = name, key] = /^([^[]+)\[([^\]]+)\]$/.exec(name) ?? [];
  const value =
    key === undefined ? values[field] : (values[field] as Record<string, unknown> | undefined)?.[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function idOf(name: string): string {
  return `field-${name.replaceAll(/[^\w-]+/g, '-')}`;
}
