import type { Role } from '@innkeeper/domain';
import type { Child } from 'hono/jsx';
import type { PanelContext } from '../env.ts';
import { themeOf } from '../http/theme.ts';
import { useTexts } from '../language/use-texts.ts';
import { BrandLink, brandOf } from './brand.tsx';
import { CsrfField } from './form.tsx';
import { Icon } from './icon.tsx';
import { LanguageForm } from './language-form.tsx';
import { navigationOf, type Place } from './navigation.ts';
import { uiTexts } from './texts/index.ts';

const ON_PHONE = 4;

/**
 * The sidebar around `content`. On a narrow screen it is a sheet, opened by "More" beside the first places at the
 * bottom; `popover` needs no script.
 */
export function Frame({ c, wide = false, children }: { c: PanelContext; wide?: boolean; children: Child }) {
  const { signedInAs } = c.var;
  const texts = useTexts(uiTexts);
  if (signedInAs === undefined) return <Door c={c}>{children}</Door>;
  const { pathname } = new URL(c.req.url);
  const isHere = ({ path }: Place) =>
    path === '/' ? pathname === '/' : `${pathname}/`.startsWith(`${path}/`);
  const groups = navigationOf(signedInAs.user.role);
  const places = groups.flatMap((group) => group.places);
  const link = (place: Place) => (
    <a href={place.path} aria-current={isHere(place) ? 'page' : undefined}>
      <Icon name={place.icon} />
      {texts.places[place.name]}
    </a>
  );
  return (
    <>
      <AsCustomer c={c} username={signedInAs.user.username} />
      <div class="app">
        <aside class="sidebar" id="nav" popover="auto" aria-label={texts.navigation}>
          <BrandLink c={c} />
          <a class="search-link" href="/search" data-search>
            <Icon name="search" />
            {texts.search}
            <kbd>{texts.searchKeys}</kbd>
          </a>
          <nav class="nav" aria-label={texts.mainPlaces}>
            {groups.map(({ group, places: inGroup }) => (
              <div>
                {group === undefined ? null : <p class="nav-title">{texts.groups[group]}</p>}
                <ul>
                  {inGroup.map((place) => (
                    <li>{link(place)}</li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
          <Self c={c} user={signedInAs.user} path={pathname} isHere={!places.some(isHere)} />
        </aside>
        <div class="main">
          <header class="topbar">
            <BrandLink c={c} />
            <a class="btn" href="/search" data-search aria-label={texts.search}>
              <Icon name="search" />
            </a>
          </header>
          <main class={wide ? 'page page-wide' : 'page'} id="content" tabindex={-1}>
            {children}
          </main>
        </div>
        <nav class="bottombar" aria-label={texts.firstPlaces}>
          {places.slice(0, ON_PHONE).map(link)}
          <button type="button" popovertarget="nav">
            <Icon name="menu" />
            {texts.more}
          </button>
        </nav>
      </div>
      <SearchDialog />
    </>
  );
}

/** Opened by a link to the search page, and by Ctrl-K or Cmd-K. Without a script the link leads to the page. */
function SearchDialog() {
  const texts = useTexts(uiTexts);
  return (
    <dialog class="search" id="search" aria-label={texts.searchPanel}>
      <form method="get" action="/search">
        <input
          class="input"
          type="search"
          name="q"
          aria-label={texts.searchPanel}
          placeholder={texts.searchPanel}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          data-preview="/search/results"
          data-shows="search-results"
        />
      </form>
      <div id="search-results" aria-live="polite" />
    </dialog>
  );
}

/** The frame of a visitor: one card. */
function Door({ c, children }: { c: PanelContext; children: Child }) {
  const texts = useTexts(uiTexts);
  const { support_url } = brandOf(c);
  return (
    <div class="signin">
      <main id="content" tabindex={-1}>
        <BrandLink c={c} />
        <div class="card stack">{children}</div>
      </main>
      {support_url === null ? null : (
        <footer>
          <a href={support_url} rel="noreferrer">
            {texts.support}
          </a>
        </footer>
      )}
    </div>
  );
}

/** The user's own pages, the theme and the way out. */
function Self({
  c,
  user: { username, role },
  path,
  isHere,
}: {
  c: PanelContext;
  user: { username: string; role: Role };
  path: string;
  isHere: boolean;
}) {
  const texts = useTexts(uiTexts);
  const theme = themeOf(c) ?? 'system';
  const { support_url } = brandOf(c);
  return (
    <details class="menu user">
      <summary>
        <span class="avatar" aria-hidden="true">
          {username.slice(0, 2).toUpperCase()}
        </span>
        <span>
          <b class="cut">{username}</b>
          <small>{texts.roles[role]}</small>
        </span>
        <Icon name="chevrons-up-down" />
      </summary>
      <div class="menu-list">
        {support_url === null ? null : (
          <a href={support_url} rel="noreferrer">
            <Icon name="headset" />
            {texts.support}
          </a>
        )}
        <a href="/security" aria-current={isHere && path.startsWith('/security') ? 'page' : undefined}>
          <Icon name="shield-check" />
          {texts.security}
        </a>
        <form method="post" action="/theme" class="themes" aria-label={texts.theme}>
          <CsrfField c={c} />
          <input type="hidden" name="back" value={path} />
          {(['system', 'light', 'dark'] as const).map((name) => (
            <button type="submit" name="theme" value={name} aria-pressed={name === theme ? 'true' : 'false'}>
              {texts.themes[name]}
            </button>
          ))}
        </form>
        <LanguageForm c={c} back={path} />
        {c.var.asCustomer === undefined ? (
          <form method="post" action="/logout">
            <CsrfField c={c} />
            <button type="submit">
              <Icon name="log-out" />
              {texts.signOut}
            </button>
          </form>
        ) : null}
      </div>
    </details>
  );
}

/** Above every page while an operator is logged in as a customer. */
function AsCustomer({ c, username }: { c: PanelContext; username: string }) {
  const texts = useTexts(uiTexts);
  const { asCustomer } = c.var;
  if (asCustomer === undefined) return null;
  return (
    <form method="post" action="/return" class="as-user">
      <CsrfField c={c} />
      <span>{texts.signedInAs(<b>{username}</b>, asCustomer.operator)}</span>
      <button type="submit" class="btn btn-small">
        {texts.returnToOwnPanel}
      </button>
    </form>
  );
}
