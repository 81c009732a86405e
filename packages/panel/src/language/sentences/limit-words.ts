import { limits, withinSentence } from '@innkeeper/domain';

/** The words for limits, as sentences of the REST API and its services contain them: field names, and labels. */
export function limitWords(language: 'en' | 'de'): Record<string, string> {
  return Object.fromEntries(
    limits.flatMap((limit) => namesOf(limit).map((name) => [name, limit.label[language]] as const)),
  );
}

/** The names under which the number beside them is a size in MiB. */
export const limitsInMib: readonly string[] = limits
  .filter(({ unit }) => unit === 'MiB')
  .flatMap((limit) => namesOf(limit));

function namesOf({ name, packageField, label }: (typeof limits)[number]): string[] {
  return [name.replaceAll('_', ' '), packageField.replaceAll('_', ' '), withinSentence(label.en)];
}
