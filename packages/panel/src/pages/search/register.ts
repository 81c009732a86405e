import type { Panel } from '../../env.ts';
import { signedIn } from '../../http/session.ts';
import { searchPage, searchResults } from './search-page.tsx';

/** The search over everything that the user sees. The dialog of the frame shows the same results. */
export function registerSearch(panel: Panel): void {
  panel.get('/search', signedIn, searchPage);
  panel.get('/search/results', signedIn, searchResults);
}
