const MIB_PER_UNIT: Readonly<Record<string, number>> = { '': 1, M: 1, G: 1_024, T: 1_024 ** 2 };

/**
 * Reads a typed size: `5 GB`, `1.5G`, `1,5 GB`, `500 MB` or a number of MiB. Returns whole MiB. Undefined for anything
 * else, also for a size below 1 MiB that is not 0. A separator before three digits at the end of a number without a
 * unit would be ambiguous (`1.500`), so a fraction needs a unit.
 */
export function readSize(typed: string): number | undefined {
  const [, whole = '', fraction, prefix = '', unit = ''] =
    /^(\d{1,12})(?:[.,](\d{1,3}))?\s*(?:([MGT])(i?B)?)?$/i.exec(typed.trim()) ?? [];
  if (whole === '' || (fraction !== undefined && prefix === '') || (prefix === '' && unit !== ''))
    return undefined;
  const mib = Math.round(Number(`${whole}.${fraction ?? 0}`) * (MIB_PER_UNIT[prefix.toUpperCase()] ?? 1));
  return mib === 0 && Number(whole) + Number(fraction ?? 0) > 0 ? undefined : mib;
}

/** A size as it can be typed again without a loss: `5 GB`, or `5000 MB` where GB have a fraction. */
export function sizeToType(mib: number): string {
  return mib >= 1_024 && mib % 512 === 0 ? `${mib / 1_024} GB` : `${mib} MB`;
}
