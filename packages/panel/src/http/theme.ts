import type { PanelContext } from '../env.ts';
import { clearCookie, readCookie, setCookie } from './cookies.ts';
import { textOf } from './form.ts';
import { goTo } from './redirect.ts';
import { ownPath } from './session.ts';

const YEAR_S = 365 * 24 * 60 * 60;

/** The theme that the user chose. Undefined: as the system. */
export function themeOf(c: PanelContext): 'light' | 'dark' | undefined {
  const theme = readCookie(c, 'theme');
  return theme === 'light' || theme === 'dark' ? theme : undefined;
}

/** Stores the chosen theme in this browser and returns to the page of the form. Anything else follows the system. */
export function chooseTheme(c: PanelContext): Response {
  const theme = textOf(c.var.form, 'theme');
  if (theme === 'light' || theme === 'dark') setCookie(c, 'theme', theme, YEAR_S);
  else clearCookie(c, 'theme');
  return goTo(c, ownPath(textOf(c.var.form, 'back')));
}
