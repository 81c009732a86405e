import decodeQR from 'qr/decode.js';
import { expect, it } from 'vitest';
import { QrCode } from './qr-code.tsx';

const PIXELS = 4;

/** Draws the path's rectangles with four pixels per module, as a browser does. */
function draw(svg: string): { width: number; height: number; data: Uint8Array } {
  const modules = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const width = modules * PIXELS;
  const data = new Uint8Array(width * width * 3).fill(255);
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let row = Number(y) * PIXELS; row < (Number(y) + 1) * PIXELS; row += 1) {
      const from = row * width + Number(x) * PIXELS;
      data.fill(0, from * 3, (from + Number(length) * PIXELS) * 3);
    }
  return { width, height: width, data };
}

it('decodes to the text that it was made from', () => {
  const uri =
    'otpauth://totp/Innkeeper:a-long-name_16?issuer=Innkeeper&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const svg = String(QrCode({ text: uri, label: 'QR code' }));
  expect(svg).toContain('role="img" aria-label="QR code"');
  expect(svg).not.toContain('style=');
  expect(decodeQR(draw(svg))).toBe(uri);
});
