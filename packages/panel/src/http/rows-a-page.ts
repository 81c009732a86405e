import type { PanelContext } from '../env.ts';
import { readCookie, setCookie } from './cookies.ts';

export const rowChoices = [25, 50, 100, 200] as const;

const USUAL = 50;
const YEAR_S = 365 * 24 * 60 * 60;

/** The rows of a page of a list: what the address asks for (`rows`), which this browser keeps, or what it asked for before. */
export function rowsAPage(c: PanelContext): number {
  const asked = choiceOf(c.req.query('rows'));
  if (asked !== undefined) setCookie(c, 'rows', String(asked), YEAR_S);
  return asked ?? choiceOf(readCookie(c, 'rows')) ?? USUAL;
}

function choiceOf(text: string | undefined): number | undefined {
  return rowChoices.find((rows) => String(rows) === text);
}
