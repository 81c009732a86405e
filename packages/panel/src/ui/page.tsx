import type { Child } from 'hono/jsx';
import { assetPath } from '../assets/register-assets.ts';
import type { PanelContext } from '../env.ts';
import { readCookie } from '../http/cookies.ts';
import { CSRF_HEADER, csrfToken } from '../http/csrf.ts';
import { takeNotice } from '../http/redirect.ts';
import { CsrfField } from './form.tsx';
import { navigationOf } from './navigation.ts';

interface PageOptions {
  /** Title of the window and, unless there is a `heading`, of the page. */
  title: string;
  /** Replaces the title on the page. */
  heading?: Child;
  /** Breadcrumb: the parent pages, topmost first. */
  above?: readonly { name: string; path: string }[];
  /** Buttons beside the heading. */
  actions?: Child;
  status?: number;
}

/** A complete page around `content`, with the navigation for the role of the user. */
export function page(c: PanelContext, options: PageOptions, content: Child): Response {
  const { title, heading = title, above = [], actions, status = 200 } = options;
  const { signedInAs } = c.var;
  const notice = takeNotice(c);
  const inside = (
    <>
      {above.length === 0 ? null : (
        <nav class="above" aria-label="Breadcrumb">
          {above.map(({ name, path }) => (
            <a href={path}>{name}</a>
          ))}
        </nav>
      )}
      <div class="heading">
        <h1>{heading}</h1>
        {actions === undefined ? null : <div class="actions">{actions}</div>}
      </div>
      {notice === undefined ? null : (
        <p class="notice" role="status">
          {notice}
        </p>
      )}
      {content}
    </>
  );
  const document = (
    <html lang="en">
      <Head c={c} title={title} />
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        {signedInAs === undefined ? null : <TopBar c={c} />}
        <main id="content" tabindex={-1} class={signedInAs === undefined ? 'door' : 'wide'}>
          {signedInAs === undefined ? (
            <>
              <a class="brand" href="/">
                Innkeeper
              </a>
              <div class="card">{inside}</div>
            </>
          ) : (
            inside
          )}
        </main>
      </body>
    </html>
  );
  return c.html(`<!doctype html>${document}`, status as 200);
}

/** htmx settings: no eval, no inline styles, requests to this origin only. */
const HTMX_CONFIG = JSON.stringify({
  allowEval: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  historyCacheSize: 0,
});

function Head({ c, title }: { c: PanelContext; title: string }) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="htmx-config" content={HTMX_CONFIG} />
      {c.var.signedInAs === undefined ? null : (
        <meta name="csrf" data-header={CSRF_HEADER} content={csrfToken(c)} />
      )}
      <title>{`${title} · Innkeeper`}</title>
      <link rel="icon" type="image/svg+xml" href={assetPath('icon.svg')} />
      <link rel="stylesheet" href={assetPath('panel.css')} />
      <script src={assetPath('panel.js')} defer />
    </head>
  );
}

function TopBar({ c }: { c: PanelContext }) {
  const { signedInAs } = c.var;
  if (signedInAs === undefined) return null;
  const { pathname } = new URL(c.req.url);
  const isHere = (path: string) => (path === '/' ? pathname === '/' : `${pathname}/`.startsWith(`${path}/`));
  const places = navigationOf(signedInAs.user.role);
  const isOwnPage = isHere('/security') && !places.some(({ path }) => isHere(path));
  return (
    <header class="bar">
      <a class="brand" href="/">
        Innkeeper
      </a>
      <details class="menu" open>
        <summary>Menu</summary>
        <nav aria-label="Main">
          {places.map(({ name, path }) => (
            <a href={path} aria-current={isHere(path) ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <div class="self">
          <a href="/security" aria-current={isOwnPage ? 'page' : undefined}>
            {signedInAs.user.username}
          </a>
          {readCookie(c, 'operator') === undefined ? null : (
            <form method="post" action="/return">
              <CsrfField c={c} />
              <button type="submit" class="quiet">
                Return to your own panel
              </button>
            </form>
          )}
          <form method="post" action="/logout">
            <CsrfField c={c} />
            <button type="submit" class="quiet">
              Sign out
            </button>
          </form>
        </div>
      </details>
    </header>
  );
}
