import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Panel } from '../env.ts';
import editorFiles from './editor.embed.ts';
import files from './files.embed.ts';
import terminalFiles from './terminal.embed.ts';

const all = { ...files, ...terminalFiles, ...editorFiles };

type AssetName = keyof typeof all;

const types: Readonly<Record<AssetName, string>> = {
  'panel.css': 'text/css; charset=utf-8',
  'panel.js': 'text/javascript; charset=utf-8',
  'terminal.js': 'text/javascript; charset=utf-8',
  'xterm.mjs': 'text/javascript; charset=utf-8',
  'xterm-fit.mjs': 'text/javascript; charset=utf-8',
  'xterm.css': 'text/css; charset=utf-8',
  'files.css': 'text/css; charset=utf-8',
  'files.js': 'text/javascript; charset=utf-8',
  'editor.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'icons.svg': 'image/svg+xml',
  'app-marks.svg': 'image/svg+xml',
};

interface Asset {
  path: string;
  plain: Uint8Array<ArrayBuffer>;
  /** Compressed when it is first asked for: some are large, and most processes never serve them. */
  gzipped: () => Uint8Array<ArrayBuffer>;
}

const assets = Object.fromEntries(
  Object.entries(all).map(([name, text]): [string, Asset] => {
    const plain = Buffer.from(text);
    const hash = createHash('sha256').update(plain).digest('hex').slice(0, 12);
    let small: Uint8Array<ArrayBuffer> | undefined;
    const gzipped = () => {
      small ??= new Uint8Array(gzipSync(plain, { level: 9 }));
      return small;
    };
    return [name, { path: `/assets/${hash}/${name}`, plain: new Uint8Array(plain), gzipped }];
  }),
) as Record<AssetName, Asset>;

/**
 * Returns the path of an asset. It contains the hash of the content, so browsers cache the asset forever and never have
 * an old version.
 */
export function assetPath(name: AssetName): string {
  return assets[name].path;
}

/** Serves style, script and icon. They are public: they contain nothing about this installation. */
export function registerAssets(panel: Panel): void {
  for (const [name, { path, plain, gzipped }] of Object.entries(assets)) {
    panel.get(path, (c) => {
      c.set('route', `/assets/${name}`);
      const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(c.req.header('Accept-Encoding') ?? '');
      return new Response(takesGzip ? gzipped() : plain, {
        headers: {
          'Content-Type': types[name as AssetName],
          'Cache-Control': 'public, max-age=31536000, immutable',
          'X-Content-Type-Options': 'nosniff',
          Vary: 'Accept-Encoding',
          ...(takesGzip ? { 'Content-Encoding': 'gzip' } : {}),
        },
      });
    });
  }
}
