import type { PanelContext } from '../env.ts';
import { type CarriedField, carriedFields } from './carried-fields.ts';
import { clearCookie, readCookie, setCookie } from './cookies.ts';
import { CSRF_FIELD } from './csrf.ts';
import { ownPath } from './session.ts';

export const UNSENT_PAGE = '/unsent';
const LIFETIME_S = 900;
/** Browsers drop a cookie above 4,096 bytes, its name and attributes included. */
const MAX_CHARACTERS = 3_800;

/** A form that arrived after its session had ended, as the user filled it in. It has no passwords. */
export interface UnsentForm {
  readonly path: string;
  readonly fields: readonly CarriedField[];
}

/** The form of this request. Undefined if it has no fields. */
export function unsentFormOf(c: PanelContext): UnsentForm | undefined {
  const { pathname, search } = new URL(c.req.url);
  const fields = carriedFields(c.var.form, [CSRF_FIELD]);
  return fields.length === 0 ? undefined : { path: pathname + search, fields };
}

/**
 * Keeps a form in a sealed cookie of this browser for 15 minutes, until the user has signed in. Returns whether it is
 * small enough.
 */
export function keepUnsentForm(c: PanelContext, form: UnsentForm): boolean {
  const sealed = c.var.deps.sealer.seal('unsent-form', JSON.stringify(form));
  if (sealed.length > MAX_CHARACTERS) return false;
  setCookie(c, 'unsent', sealed, LIFETIME_S);
  return true;
}

/** The kept form. A cookie that does not open is cleared. */
export function findUnsentForm(c: PanelContext): UnsentForm | undefined {
  const sealed = readCookie(c, 'unsent');
  if (sealed === undefined || sealed === '') return undefined;
  try {
    const { path, fields } = JSON.parse(c.var.deps.sealer.open('unsent-form', sealed)) as UnsentForm;
    return { path: ownPath(path), fields };
  } catch {
    clearCookie(c, 'unsent');
    return undefined;
  }
}
