/** The value below which `percent` of the values lie (nearest rank). Throws on an empty list. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('no values');
  return value;
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}
