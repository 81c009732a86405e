/**
 * Returns a text that is equal for two requests exactly when they are equal: method, path, and the field values as the
 * contract parsed them. The order of fields does not matter, nor whether they came as JSON or as a form. A file counts
 * as a field with its digest.
 */
export function sameRequestText(method: string, path: string, fields: unknown): string {
  return JSON.stringify([method, path.replace(/\/+$/, ''), fields ?? null], sortNames);
}

function sortNames(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
