/** Created once: creating a formatter costs 100 times as much as using it. */
const format = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** `12,345.6` */
export function numberText(value: number): string {
  return format.format(value);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `21 Nov 2026, 09:07 UTC`. Written by hand for speed: a list formats one in every row. */
export function momentText(at: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
  return `${day}, ${two(at.getUTCHours())}:${two(at.getUTCMinutes())} UTC`;
}
