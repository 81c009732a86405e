type Fields = Readonly<Record<string, unknown>>;

/**
 * What a change does to the public fields that it names, for the audit log: those that differ, as they were
 * and as they are. Compared as JSON, so that dates and lists are compared by what they hold.
 */
export function changedFields(before: Fields, after: Fields): { before: Fields; after: Fields } {
  const changed = Object.keys(after).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  const pick = (fields: Fields) => Object.fromEntries(changed.map((field) => [field, fields[field]]));
  return { before: pick(before), after: pick(after) };
}
