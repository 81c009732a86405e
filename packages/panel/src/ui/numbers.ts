/** Created once: creating a formatter costs 100 times as much as using it. */
const format = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** `12,345.6` */
export function numberText(value: number): string {
  return format.format(value);
}
