/** Messages for fields that conflict with existing records, in the wording that clients match on. */
export const recordSentences = {
  taken: (field: string) => `The ${words(field)} has already been taken.`,
  selectionInvalid: (field: string) => `The selected ${words(field)} is invalid.`,
  atLeast: (field: string, min: number) => `The ${words(field)} field must be at least ${min}.`,
} as const;

/** A field's name as words: `package_id` becomes "package id". */
export function words(field: string): string {
  return field.replaceAll('_', ' ');
}
