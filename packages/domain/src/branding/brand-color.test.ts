import { describe, expect, it } from 'vitest';
import {
  brandFill,
  brandToneOf,
  contrastOf,
  FILL_LIGHTNESS,
  hexOfOkLch,
  readBrandColor,
} from './brand-color.ts';

const AA = 4.5;
const WHITE = '#ffffff';
/** Every hue in steps of 3 degrees, vivid, dull, very light and very dark; and the corners of sRGB. */
const chosen = [
  ...Array.from({ length: 120 }, (_, at) => at * 3).flatMap((hue) => [
    hexOfOkLch(0.7, 0.3, hue),
    hexOfOkLch(0.5, 0.06, hue),
    hexOfOkLch(0.95, 0.05, hue),
    hexOfOkLch(0.2, 0.1, hue),
  ]),
  ...['#000000', '#ffffff', '#ff0000', '#00ff00', '#0000ff', '#ffff00', '#00ffff', '#ff00ff', '#808080'],
];

describe('a chosen color', () => {
  it('is read as #rrggbb only', () => {
    expect(readBrandColor(' #FF8800 ')).toBe('#ff8800');
    for (const text of ['', 'red', '#fff', '#ff880', '#ff88000', 'ff8800', '#ff88zz', '#ff8800;}'])
      expect(readBrandColor(text)).toBeUndefined();
  });

  it('has the contrast of WCAG AA with white text on every filled area', () => {
    for (const color of chosen) {
      const { hue, chroma } = brandToneOf(color);
      for (const lightness of FILL_LIGHTNESS)
        expect([color, contrastOf(WHITE, hexOfOkLch(lightness, chroma, hue)) >= AA]).toEqual([color, true]);
      expect(contrastOf(WHITE, brandFill({ hue, chroma }))).toBeGreaterThanOrEqual(AA);
    }
  });

  it('has the contrast of WCAG AA as a link on the backgrounds of panel.css', () => {
    const light = [hexOfOkLch(0.962, 0.004, 85), hexOfOkLch(0.982, 0.0025, 85), WHITE];
    const dark = [
      hexOfOkLch(0.172, 0.006, 275),
      hexOfOkLch(0.208, 0.007, 275),
      hexOfOkLch(0.245, 0.008, 275),
    ];
    for (const color of chosen) {
      const { hue, chroma } = brandToneOf(color);
      const onLight = hexOfOkLch(0.475, chroma, hue);
      const onDark = hexOfOkLch(0.8, chroma * 0.66, hue);
      for (const back of [...light, hexOfOkLch(0.958, chroma * 0.13, hue)])
        expect([color, back, contrastOf(onLight, back) >= AA]).toEqual([color, back, true]);
      for (const back of [...dark, hexOfOkLch(0.285, chroma * 0.36, hue)])
        expect([color, back, contrastOf(onDark, back) >= AA]).toEqual([color, back, true]);
    }
  });

  it('keeps its hue', () => {
    for (const [color, hue] of [
      ['#ff0000', 29],
      ['#00ff00', 143],
      ['#0000ff', 264],
    ] as const)
      expect(Math.round(brandToneOf(color).hue)).toBe(hue);
    expect(brandToneOf('#777777').chroma).toBe(0);
    expect(brandToneOf('#7a3cff').chroma).toBeGreaterThan(0.1);
  });
});
