import { z } from 'zod';
import { lenient, optional } from './fields/field.ts';
import { integer } from './fields/kinds.ts';

const MAX_PER_PAGE = 100;
const DEFAULT_PER_PAGE = 25;
/** The last page whose offset is an exact number for every `per_page`. */
const MAX_PAGE = Math.floor(Number.MAX_SAFE_INTEGER / MAX_PER_PAGE);

/** Query fields of every paginated list. An invalid `page` is page 1. */
export const pageQuery = {
  page: lenient(integer({ min: 1, max: MAX_PAGE }), 1),
  per_page: optional(integer({ min: 1, max: MAX_PER_PAGE })).transform((size) => size ?? DEFAULT_PER_PAGE),
};

/** The envelope of a paginated list. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.strictObject({
    current_page: z.int().min(1),
    data: z.array(item),
    from: z.int().min(1).nullable(),
    last_page: z.int().min(1),
    per_page: z.int().min(1).max(MAX_PER_PAGE),
    to: z.int().min(1).nullable(),
    total: z.int().min(0),
  });
}
