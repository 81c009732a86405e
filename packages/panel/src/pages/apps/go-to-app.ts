import { getApp } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { goTo, goToWithNotice } from '../../http/redirect.ts';
import { customerContext } from '../../http/session.ts';
import { isUnderWay } from './words.ts';

/**
 * Redirects to the app after a form that started something. `underWay` is said only if it is not over: what has ended is a
 * state of the page, which a message must not contradict. `always` is said in any case.
 */
export async function goToApp(
  c: PanelContext,
  app_id: number,
  { underWay, always = '' }: { underWay: string; always?: string },
): Promise<Response> {
  const { status } = await getApp(customerContext(c), { app_id });
  const sentences = [isUnderWay(status) ? underWay : '', always].filter((sentence) => sentence !== '');
  const path = `/apps/${app_id}`;
  return sentences.length === 0 ? goTo(c, path) : goToWithNotice(c, path, sentences.join(' '));
}
