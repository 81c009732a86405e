export { boolean } from './boolean.ts';
export { email } from './email.ts';
export { type FieldKind, isBlank, lenient, nullable, optional, required } from './field.ts';
export { integer } from './integer.ts';
export { integerList } from './integer-list.ts';
export { text } from './text.ts';
