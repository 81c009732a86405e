import { CSRF_FIELD } from '@innkeeper/panel';

/** A page, or the answer to a form, in a browser without scripts. */
export interface Visited {
  status: number;
  /** Path and query of the page, after all redirects. */
  path: string;
  headers: Headers;
  html: string;
  /** The visible text of the page, without markup. */
  text: string;
  /** Returns the error at a field of the page's forms. Empty: none. */
  errorAt(field: string): string;
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A browser without scripts: it stores cookies, follows redirects and submits the forms of the current page. */
export class PageVisitor {
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly cookies = new Map<string, string>();
  #page: Visited | undefined;

  /** `origin`: `http://127.0.0.1:<port>`. `headers` are sent with every request, as a proxy would add them. */
  constructor(origin: string, headers: Readonly<Record<string, string>> = {}) {
    this.#origin = origin;
    this.#headers = headers;
  }

  /** The current page. */
  get page(): Visited {
    if (this.#page === undefined) throw new Error('There was no visit yet.');
    return this.#page;
  }

  async open(path: string, headers: Record<string, string> = {}): Promise<Visited> {
    return await this.#follow(path, { headers });
  }

  /** Sends a form to `action`, with the CSRF token of the current page unless `fields` has one. */
  async send(action: string, fields: Fields = {}, headers: Record<string, string> = {}): Promise<Visited> {
    const body = new URLSearchParams(
      fields[CSRF_FIELD] === undefined ? [[CSRF_FIELD, this.csrfToken()]] : [],
    );
    for (const [name, value] of Object.entries(fields))
      for (const one of typeof value === 'string' ? [value] : value) body.append(name, one);
    return await this.#follow(action, { method: 'POST', body, headers });
  }

  /** Uploads a file with a separate form, whose CSRF token is in the URL. */
  async upload(
    action: string,
    file: { field: string; name: string; content: Uint8Array },
    headers: Record<string, string> = {},
  ): Promise<Visited> {
    const body = new FormData();
    body.set(file.field, new Blob([new Uint8Array(file.content)]), file.name);
    return await this.#follow(`${action}?${CSRF_FIELD}=${this.csrfToken()}`, {
      method: 'POST',
      body,
      headers,
    });
  }

  /** The CSRF token of the current page. */
  csrfToken(): string {
    return new RegExp(`name="${CSRF_FIELD}" value="([0-9a-f]{64})"`).exec(this.page.html)?.[1] ?? '';
  }

  async signIn(username: string, password: string): Promise<Visited> {
    await this.open('/login');
    return await this.send('/login', { username, password });
  }

  async #follow(path: string, init: RequestInit): Promise<Visited> {
    let at = path;
    let request = init;
    for (let redirects = 0; redirects < 5; redirects += 1) {
      const answer = await fetch(new URL(at, this.#origin), {
        ...request,
        redirect: 'manual',
        headers: { ...this.#headers, ...request.headers, Cookie: this.#cookieHeader() },
      });
      this.#keep(answer.headers.getSetCookie());
      const location = answer.headers.get('Location');
      if (location === null || answer.status < 300 || answer.status > 399)
        return this.#show(at, answer, await answer.text());
      await answer.body?.cancel();
      at = location;
      request = {};
    }
    throw new Error(`${path} leads nowhere.`);
  }

  #show(path: string, { status, headers }: Response, html: string): Visited {
    const text = unescaped(
      html.replaceAll(/<(?:head|script)\b.*?<\/(?:head|script)>/gs, ' ').replaceAll(/<[^>]+>/g, ' '),
    )
      .replaceAll(/\s+/g, ' ')
      .trim();
    const errorAt = (field: string) =>
      unescaped(new RegExp(`id="field-${field}-error" role="alert">([^<]*)<`).exec(html)?.[1] ?? '');
    this.#page = { status, path, headers, html, text, errorAt };
    return this.#page;
  }

  #keep(cookies: readonly string[]): void {
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/; Max-Age=0\b/.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }

  #cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

/** Returns HTML text as a browser shows it. */
export function unescaped(html: string): string {
  return html
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
