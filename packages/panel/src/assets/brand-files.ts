import { createHash } from 'node:crypto';
import { brandToneOf, readBrandColor } from '@innkeeper/domain';
import { findBrandLogo } from '@innkeeper/services';
import type { Panel } from '../env.ts';

/** Both addresses name the content, so browsers keep it for ever. */
const immutable = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
};

/** Opened as a page of its own, a logo can run and load nothing. */
const LOGO_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Path of the style sheet of a color `#rrggbb`. The hash changes with a release that changes the sheet. */
export function brandStylePath(color: string): string {
  return `/assets/brand/${color.slice(1)}-${hashOf(styleOf(color))}.css`;
}

export function logoPath(hash: string): string {
  return `/assets/logo/${hash}`;
}

/**
 * Serves the style sheet of any color, and logos. They are public: visitors see them before they sign in. A sheet
 * contains two numbers that are computed from the color in its address, so nothing is stored for it.
 */
export function registerBrandFiles(panel: Panel): void {
  panel.get('/assets/brand/:name{[0-9a-f]{6}-[0-9a-f]{12}\\.css}', (c) => {
    const color = readBrandColor(`#${c.req.param('name').slice(0, 6)}`) ?? '';
    if (brandStylePath(color) !== c.req.path) return c.text('Not found', 404);
    return c.body(styleOf(color), 200, { ...immutable, 'Content-Type': 'text/css; charset=utf-8' });
  });
  panel.get('/assets/logo/:hash{[0-9a-f]{32}}', async (c) => {
    const logo = await findBrandLogo(c.var.deps.db, { hash: c.req.param('hash') });
    if (logo === null) return c.text('Not found', 404);
    return c.body(new Uint8Array(logo.bytes), 200, {
      ...immutable,
      'Content-Type': logo.type,
      'Content-Security-Policy': LOGO_POLICY,
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
  });
}

function styleOf(color: string): string {
  const { hue, chroma } = brandToneOf(color);
  return `:root{--brand-hue:${hue};--brand-chroma:${chroma}}\n`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
