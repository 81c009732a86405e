import { endpoints } from '@innkeeper/contract';
import { type BroughtLink, checkLoginLink, followLoginLink } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { readCookie, setCookie } from '../../http/cookies.ts';
import { goTo } from '../../http/redirect.ts';
import { visitorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { PostForm } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { signInTexts } from './texts/index.ts';

export const LINK_PAGE = '/login/link';

interface LinkTarget {
  user_id: number;
  link: BroughtLink;
}

/** Path of the page that asks before a login link changes the signed-in user. */
export function linkPagePath({ user_id, link }: LinkTarget): string {
  const { expires, destination, signature } = link ?? {};
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ user: user_id, expires, ...destination, signature }))
    if (value !== null && value !== undefined) query.set(name, String(value));
  return `${LINK_PAGE}?${query}`;
}

/** Throws `forbidden` for a link with a wrong signature or an expired link. */
export async function linkPage(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, signInTexts);
  const target = linkOf(c);
  const { username } = await checkLoginLink(visitorContext(c), target);
  const current = c.var.signedInAs?.user.username;
  return page(
    c,
    { title: texts.continueQuestion(username) },
    <>
      {current === undefined ? null : <p>{texts.changesUser(current, username)}</p>}
      <PostForm c={c} action={linkPagePath(target)} submit={texts.continueAs(username)} />
      <p>
        <a href="/">{current === undefined ? texts.goHome : texts.stayAs(current)}</a>
      </p>
    </>,
  );
}

/** Signs the browser in with the link. */
export async function continueByLink(c: PanelContext): Promise<Response> {
  const session = readCookie(c, 'session');
  const replaces = session === undefined ? [] : [session];
  const followed = await followLoginLink({ ...visitorContext(c), replaces }, linkOf(c));
  setCookie(c, 'session', followed.session.token);
  return goTo(c, followed.path);
}

function linkOf(c: PanelContext): LinkTarget {
  const { user, ...rest } = c.req.query();
  const id = endpoints.followLoginLink.params.safeParse({ id: user ?? '' });
  return {
    user_id: id.success ? id.data.id : 0,
    link: endpoints.followLoginLink.query.parse(rest),
  };
}
