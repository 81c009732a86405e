export { boolean } from './boolean.ts';
export { choice } from './choice.ts';
export { email } from './email.ts';
export { type FieldKind, isBlank, lenient, nullable, optional, type Rule, required } from './field.ts';
export { integer } from './integer.ts';
export { integerList } from './integer-list.ts';
export { ipAddress } from './ip-address.ts';
export { text } from './text.ts';
