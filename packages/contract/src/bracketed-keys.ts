/**
 * Parses query strings and forms into one object: `a[]=1`, `a[0]=1` and a repeated `a=1` are arrays, `a[key]=1` is
 * an object, anything else a string. Nested brackets are part of the name, so the field is unknown. The object has no
 * prototype, so no field name has a special meaning.
 */
export function nestBracketedKeys(entries: Iterable<readonly [string, string]>): Record<string, unknown> {
  const fields = new Map<string, [key: string | undefined, value: string][]>();
  for (const [name, value] of entries) {
    const bracketed = BRACKETED.exec(name);
    const field = bracketed?.[1] ?? name;
    const values = fields.get(field);
    const entry: [string | undefined, string] = [bracketed?.[2], value];
    if (values === undefined) fields.set(field, [entry]);
    else values.push(entry);
  }
  const nested: Record<string, unknown> = Object.create(null);
  for (const [field, values] of fields) nested[field] = combine(values);
  return nested;
}

const BRACKETED = /^([^[\]]+)\[([^[\]]*)\]$/;
const INDEX = /^\d*$/;

function combine(values: readonly [key: string | undefined, value: string][]): unknown {
  const [first] = values;
  if (values.length === 1 && first !== undefined && first[0] === undefined) return first[1];
  if (values.every(([key]) => key === undefined || INDEX.test(key))) return values.map(([, value]) => value);
  const record: Record<string, string> = Object.create(null);
  for (const [index, [key, value]] of values.entries()) record[key || String(index)] = value;
  return record;
}
