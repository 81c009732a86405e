type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the public fields that differ, with old and new values, for the audit log. Values are compared as JSON, so
 * dates and lists are compared by content.
 */
export function changedFields(before: Fields, after: Fields): { before: Fields; after: Fields } {
  const changed = Object.keys(after).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  const pick = (fields: Fields) => Object.fromEntries(changed.map((field) => [field, fields[field]]));
  return { before: pick(before), after: pick(after) };
}
