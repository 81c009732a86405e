import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axe, { type Result } from 'axe-core';
import { type Browser, type ConsoleMessage, chromium, type Page } from 'playwright-core';

/** Viewports of a phone, a tablet, a laptop and a desktop, in CSS pixels. */
const SIZES = [
  { width: 375, height: 740 },
  { width: 768, height: 1_024 },
  { width: 1_440, height: 900 },
  { width: 1_920, height: 1_080 },
] as const;
/** Timeout of a screenshot. It takes less than 1 s, or it never arrives. */
const PICTURE_MS = 15_000;
const SCREENSHOTS = join(import.meta.dirname, '../../../../screenshots');
const PROGRAM = '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Runs in the page: reports every violation of its Content-Security-Policy. */
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (violation) =>
  reportToTest(\`The policy forbids \${violation.effectiveDirective} \${violation.blockedURI} at \${location.href}\`));`;

/** Runs in the page: returns the findings of axe, and the widths of the page. */
const LOOK = `(async () => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return { scrollWidth, clientWidth, findings: (await axe.run(document)).violations };
})()`;

interface Seen {
  findings: Result[];
  scrollWidth: number;
  clientWidth: number;
}

export interface PanelBrowser {
  /** A visitor with a separate browser profile: no shared cookies and no shared cache. */
  visitor(): Promise<BrowserVisitor>;
  stop(): Promise<void>;
}

/**
 * Starts Debian's Chromium with a new profile. A request of a page to a host outside of `origins` is a fault. The
 * browser treats `origins` as if they used HTTPS.
 */
export async function startBrowser(origins: readonly string[]): Promise<PanelBrowser> {
  const args = [...FLAGS, `--unsafely-treat-insecure-origin-as-secure=${origins.join(',')}`];
  const browser = await chromium.launch({ executablePath: PROGRAM, args, timeout: 60_000 });
  await mkdir(SCREENSHOTS, { recursive: true });
  return { visitor: () => openVisitor(browser, origins), stop: () => browser.close() };
}

async function openVisitor(browser: Browser, origins: readonly string[]): Promise<BrowserVisitor> {
  const context = await browser.newContext({ viewport: SIZES[3], baseURL: origins[0] ?? '' });
  context.setDefaultTimeout(30_000);
  const visitor = new BrowserVisitor(await context.newPage(), origins);
  await context.exposeBinding('reportToTest', (_source, fault: string) => visitor.faults.push(fault));
  await context.addInitScript({ content: REPORT_VIOLATIONS });
  await context.addInitScript({ content: axe.source });
  return visitor;
}

/** A visitor. Faults of a page are collected in `faults` until a test reads them. */
export class BrowserVisitor {
  readonly page: Page;
  readonly faults: string[] = [];
  #takesPictures = true;

  constructor(page: Page, origins: readonly string[]) {
    this.page = page;
    page.on('console', (message) => {
      if (isFault(message, page)) this.faults.push(`The console at ${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.faults.push(`A script at ${page.url()}: ${error.message}`));
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'data:' && !origins.includes(origin))
        this.faults.push(`${page.url()} asks ${request.url()}`);
    });
  }

  /** Opens a path and returns the status of the page. */
  async open(path: string): Promise<number> {
    const answer = await this.page.goto(path, { waitUntil: 'load' });
    return answer?.status() ?? 0;
  }

  /**
   * Inspects the current page at every width, light and dark: axe finds nothing, nothing is wider than the window, and
   * a screenshot is stored in `screenshots/`. Throws an error with all faults.
   */
  async inspect(name: string): Promise<void> {
    for (const size of SIZES) {
      await this.page.setViewportSize(size);
      await this.#look(name, `${size.width}`);
      await this.page.emulateMedia({ colorScheme: 'dark' });
      await this.#look(name, `${size.width}-dark`);
      await this.page.emulateMedia({ colorScheme: 'light' });
    }
    this.requireNoFault();
  }

  requireNoFault(): void {
    const faults = this.faults.splice(0);
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  /** The screenshot is for people: if a browser cannot take one on a busy machine, it takes no more. */
  async #picture(path: string): Promise<void> {
    if (!this.#takesPictures) return;
    await this.page.screenshot({ path, fullPage: true, timeout: PICTURE_MS }).catch((error: Error) => {
      this.#takesPictures = false;
      console.warn(`There is no picture ${path}, and there will be no further one: ${error.message}`);
    });
  }

  async #look(name: string, view: string): Promise<void> {
    const { page } = this;
    await this.#picture(join(SCREENSHOTS, `${name}-${view}.png`));
    const { findings, scrollWidth, clientWidth } = await page.evaluate<Seen>(LOOK);
    const where = `${name} (${view}, ${page.url()})`;
    if (scrollWidth > clientWidth)
      this.faults.push(`${where} is ${scrollWidth} px wide in a window of ${clientWidth} px`);
    for (const { id, impact, help, nodes } of findings)
      for (const { target } of nodes)
        this.faults.push(`${where}: ${impact} ${id}: ${help} at ${target.join(' ')}`);
  }
}

/** A page with the status 404 or 422 is not a fault, although the browser writes an error to its console. */
function isFault(message: ConsoleMessage, page: Page): boolean {
  if (message.type() !== 'error' && message.type() !== 'warning') return false;
  const isRefusedPage = /^Failed to load resource: .* status of 4\d\d/.test(message.text());
  return !(isRefusedPage && new URL(message.location().url).origin === new URL(page.url()).origin);
}
