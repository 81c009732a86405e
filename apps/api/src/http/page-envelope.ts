import type { Page } from '@innkeeper/services';

/** A page of a list as the API answers it. A page past the end is empty. */
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
