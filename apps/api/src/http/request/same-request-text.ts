/**
 * A text that two requests share exactly when they ask for the same: method, path, and the fields as values,
 * as the contract read them, so that neither their order nor JSON or form matters; a file is a field with
 * its digest.
 */
export function sameRequestText(method: string, path: string, fields: unknown): string {
  return JSON.stringify([method, path.replace(/\/+$/, ''), fields ?? null], sortNames);
}

function sortNames(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
