import { DomainError, EMAIL_MAX_CHARACTERS, isEmailAddress, isPrintableLine } from '@innkeeper/domain';

interface Bounds {
  min: number;
  max: number;
}

/**
 * Collects the errors of an operator's request that no contract schema has parsed. Reports all wrong fields at once, in
 * the wording of the API. Call `settle` at the end.
 */
export class FieldCheck {
  readonly #errors: Record<string, string[]> = {};

  refuse(field: string, sentence: string): void {
    this.#errors[field] = [...(this.#errors[field] ?? []), sentence];
  }

  /** One line of text, trimmed; `min` and `max` in characters. */
  line(field: string, value: string, { min, max }: Bounds): string {
    const text = value.trim();
    const length = [...text].length;
    if (length === 0 && min > 0) this.refuse(field, `The ${spoken(field)} field is required.`);
    else if (length < min)
      this.refuse(field, `The ${spoken(field)} field must be at least ${min} characters.`);
    if (length > max)
      this.refuse(field, `The ${spoken(field)} field must not be greater than ${max} characters.`);
    if (!isPrintableLine(text))
      this.refuse(field, `The ${spoken(field)} field must be one line without control characters.`);
    return text;
  }

  email(field: string, value: string): string {
    const text = this.line(field, value, { min: 1, max: EMAIL_MAX_CHARACTERS });
    if (text !== '' && !isEmailAddress(text))
      this.refuse(field, `The ${spoken(field)} field must be a valid email address.`);
    return text;
  }

  /** 8 to 255 characters, not trimmed: white space counts. */
  password(field: string, value: string): void {
    const length = [...value].length;
    if (length < 8) this.refuse(field, `The ${spoken(field)} field must be at least 8 characters.`);
    if (length > 255)
      this.refuse(field, `The ${spoken(field)} field must not be greater than 255 characters.`);
    if (!isPrintableLine(value))
      this.refuse(field, `The ${spoken(field)} field must be one line without control characters.`);
  }

  /** Both bounds inclusive. */
  integer(field: string, value: number, { min, max }: Bounds): number {
    if (!Number.isSafeInteger(value)) this.refuse(field, `The ${spoken(field)} field must be an integer.`);
    else if (value < min) this.refuse(field, `The ${spoken(field)} field must be at least ${min}.`);
    else if (value > max) this.refuse(field, `The ${spoken(field)} field must not be greater than ${max}.`);
    return value;
  }

  /** Throws DomainError `invalid` with all collected errors. */
  settle(): void {
    const sentences = Object.values(this.#errors).flat();
    const [first] = sentences;
    if (first === undefined) return;
    const more = sentences.length - 1;
    const rest = more === 0 ? '' : ` (and ${more} more error${more === 1 ? '' : 's'})`;
    throw new DomainError('invalid', first + rest, { fields: this.#errors });
  }
}

function spoken(field: string): string {
  return field.replaceAll('_', ' ');
}
