import type { Page } from '@innkeeper/services';

/** Converts a page of a list to the API's format. A page past the end is empty. */
export function pageEnvelope<Item>({ items, page, per_page, total }: Page<Item>) {
  const before = (page - 1) * per_page;
  return {
    current_page: page,
    data: items,
    from: items.length === 0 ? null : before + 1,
    last_page: Math.max(1, Math.ceil(total / per_page)),
    per_page,
    to: items.length === 0 ? null : before + items.length,
    total,
  };
}
