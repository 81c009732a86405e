import { type SettableLimit, settableLimits } from '@innkeeper/domain';
import { type FieldKind, nullable, optional, required } from '../fields/field.ts';
import { integer } from '../fields/kinds.ts';

/** The limits that a request may set, in the order of the API. Some are required for an account, others can be null. */
function limitFields<Field>(sized: (kind: FieldKind<number>) => Field) {
  const fields = settableLimits.map((limit) => [
    limit.name,
    limit.unlimitable ? nullable(integer(limit)) : sized(integer(limit)),
  ]);
  return Object.fromEntries(fields) as {
    [L in SettableLimit as L['name']]: L['unlimitable'] extends true
      ? ReturnType<typeof nullable<number>>
      : Field;
  };
}

/** Overrides of a package's limits. */
export const overrideFields = limitFields((kind) => optional(kind));

/** Limits of a new account without a package. */
export const customFields = limitFields((kind) =>
  required(kind, 'The :attribute field is required when package id is not present.'),
);

/** New limits of an account. */
export const resourceFields = limitFields((kind) => required(kind));
