/**
 * The size for minimum and maximum rules: the number of elements of an array, the value of a number under a numeric
 * rule, the number of characters of anything else. So `"abc"` has size 3, and fails both
 * "must be an integer" and "must be at least 100".
 */
export function sizeOf(value: unknown, numeric: boolean): number {
  if (typeof value === 'object') return value === null ? 0 : Object.keys(value).length;
  if (numeric && typeof value === 'number') return value;
  if (numeric && typeof value === 'string' && NUMERIC.test(value)) return Number(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return characters(String(value));
}

const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Code points, not UTF-16 units. */
function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
