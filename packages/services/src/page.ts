/** Pagination of a list. `page` starts at 1. */
export interface PageRequest {
  page: number;
  per_page: number;
}

/** One page of a list, with the total number of items. */
export interface Page<Item> extends PageRequest {
  items: Item[];
  total: number;
}

/** The offset and limit of the page. */
export function rowsOf({ page, per_page }: PageRequest): { offset: number; limit: number } {
  return { offset: (page - 1) * per_page, limit: per_page };
}
