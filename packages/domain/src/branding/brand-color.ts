/**
 * A provider chooses a color. The panel takes only its hue and chroma (OKLCH) and keeps its own lightness, so white text
 * on a button and links on every background have enough contrast for every chosen color, in light and dark.
 */
export interface BrandTone {
  /** In degrees. */
  hue: number;
  chroma: number;
}

/** Lightness of filled areas with white text: `--brand` and `--brand-strong` in panel.css, light and dark. */
export const FILL_LIGHTNESS = [0.43, 0.455, 0.5, 0.503] as const;
const MAX_CHROMA = 0.2;
const CHROMA_STEP = 0.005;

/** `#rrggbb` in lowercase. Undefined for any other text. */
export function readBrandColor(text: string): string | undefined {
  const color = text.trim().toLowerCase();
  return /^#[0-9a-f]{6}$/.test(color) ? color : undefined;
}

/** The tone of a color `#rrggbb`. Its filled areas are inside sRGB, so every browser shows the same color. */
export function brandToneOf(color: string): BrandTone {
  const { chroma, hue } = okLchOf(color);
  let kept = Math.min(chroma, MAX_CHROMA);
  while (kept > 0 && !FILL_LIGHTNESS.every((lightness) => isInSrgb(linearRgb(lightness, kept, hue))))
    kept -= CHROMA_STEP;
  return { hue: Math.round(hue * 10) / 10, chroma: Math.max(0, Math.floor(kept * 1_000) / 1_000) };
}

/** The color of buttons with white text, as `#rrggbb`, for mails. */
export function brandFill({ hue, chroma }: BrandTone): string {
  return hexOf(linearRgb(0.5, chroma, hue));
}

/** OKLCH as the nearest `#rrggbb`. */
export function hexOfOkLch(lightness: number, chroma: number, hue: number): string {
  return hexOf(linearRgb(lightness, chroma, hue));
}

/** Contrast of two colors `#rrggbb`, as WCAG 2.2 defines it: from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

type Triple = readonly [number, number, number];

function luminanceOf(color: string): number {
  const [red, green, blue] = linearOf(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linearOf(color: string): Triple {
  const channel = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function isInSrgb(rgb: Triple): boolean {
  return rgb.every((channel) => channel >= -0.0005 && channel <= 1.0005);
}

function hexOf(rgb: Triple): string {
  const digits = rgb.map((channel) => {
    const linear = Math.min(1, Math.max(0, channel));
    const value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${digits.join('')}`;
}

/** The matrices are those of Björn Ottosson's OKLab, which CSS Color 4 uses. */
function okLchOf(color: string): { chroma: number; hue: number } {
  const [red, green, blue] = linearOf(color);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { chroma: Math.hypot(a, b), hue: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360 };
}

function linearRgb(lightness: number, chroma: number, hue: number): Triple {
  const radians = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(radians), chroma * Math.sin(radians)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}
