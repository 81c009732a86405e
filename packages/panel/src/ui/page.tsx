import type { Brand } from '@innkeeper/services';
import type { Child } from 'hono/jsx';
import { brandStylePath, logoPath } from '../assets/brand-files.ts';
import { assetPath } from '../assets/register-assets.ts';
import type { PanelContext } from '../env.ts';
import { takeNotice } from '../http/redirect.ts';
import { themeOf } from '../http/theme.ts';
import { languageOf, textsFor } from '../language/language.ts';
import { render } from '../language/use-texts.ts';
import { brandOf } from './brand.tsx';
import { Frame } from './frame.tsx';
import { Icon } from './icon.tsx';
import { Notice } from './parts.tsx';
import { uiTexts } from './texts/index.ts';

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
  /** Facts below the heading. */
  facts?: Child;
  /** The page uses the whole width of the window. */
  wide?: boolean;
  /** Files of `assets` that only this page needs. */
  extras?: readonly ('files.css' | 'files.js' | 'editor.js')[];
}

/** A complete page around `content`, with the navigation for the role of the user. */
export function page(c: PanelContext, options: PageOptions, content: Child): Response {
  const {
    title,
    heading = title,
    above = [],
    actions,
    status = 200,
    facts,
    wide = false,
    extras = [],
  } = options;
  const notice = takeNotice(c);
  const texts = textsFor(c, uiTexts);
  const body = render(
    c,
    <body>
      <a class="skip" href="#content">
        {texts.skipToContent}
      </a>
      <Frame c={c} wide={wide}>
        {above.length === 0 ? null : (
          <nav class="crumbs" aria-label={texts.breadcrumb}>
            {above.map(({ name, path }, at) => (
              <>
                <Icon name={at === 0 ? 'arrow-left' : 'next'} />
                <a href={path}>{name}</a>
              </>
            ))}
          </nav>
        )}
        <div class="page-head">
          {facts === undefined ? (
            <h1>{heading}</h1>
          ) : (
            <div class="head-text">
              <h1>{heading}</h1>
              <p>{facts}</p>
            </div>
          )}
          {actions === undefined ? null : <div class="actions">{actions}</div>}
        </div>
        {notice === undefined ? null : (
          <div id="notice">
            <Notice role="status">{notice}</Notice>
          </div>
        )}
        {content}
      </Frame>
    </body>,
  );
  const start = `<!doctype html><html lang="${languageOf(c)}"${themeAttribute(c)}>`;
  return c.html(
    `${start}${<Head title={title} brand={brandOf(c)} extras={extras} />}${body}</html>`,
    status as 200,
  );
}

function themeAttribute(c: PanelContext): string {
  const theme = themeOf(c);
  return theme === undefined ? '' : ` data-theme="${theme}"`;
}

function Head({
  title,
  brand,
  extras,
}: {
  title: string;
  brand: Brand;
  extras: NonNullable<PageOptions['extras']>;
}) {
  const { name, color, logo_hash } = brand;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · ${name}`}</title>
      {logo_hash === null ? (
        <link rel="icon" type="image/svg+xml" href={assetPath('icon.svg')} />
      ) : (
        <link rel="icon" href={logoPath(logo_hash)} />
      )}
      <link rel="stylesheet" href={assetPath('panel.css')} />
      {color === null ? null : <link rel="stylesheet" href={brandStylePath(color)} />}
      {extras.map((name) =>
        name.endsWith('.css') ? <link rel="stylesheet" href={assetPath(name)} /> : null,
      )}
      <script src={assetPath('panel.js')} defer />
      {extras.map((name) => (name.endsWith('.js') ? <script src={assetPath(name)} defer /> : null))}
    </head>
  );
}
