import { expect } from 'vitest';
import type { BrowserVisitor } from './browser.ts';

/** The home of the account, as the test can look at it without the file manager. */
export interface HomeUnderTest {
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
}

/** Runs in the page: drops a folder with two files, and a file beside it, on the list. */
const DROP = `(() => {
  const file = (name, text) => new File([text], name, { lastModified: 1 });
  const fileEntry = (path, text) => ({
    isFile: true,
    fullPath: path,
    file: (found) => found(file(path.split('/').pop(), text)),
  });
  const reader = (batches) => ({ readEntries: (found) => found(batches.shift() ?? []) });
  const folder = {
    isFile: false,
    fullPath: '/album',
    createReader: () => reader([[fileEntry('/album/one.txt', 'one')], [fileEntry('/album/deep/two.txt', 'two')]]),
  };
  const event = new Event('drop', { bubbles: true, cancelable: true });
  event.dataTransfer = {
    types: ['Files'],
    files: [],
    items: [{ webkitGetAsEntry: () => folder }, { webkitGetAsEntry: () => fileEntry('/loose.txt', 'loose') }],
  };
  document.querySelector('.fm-list').dispatchEvent(event);
})()`;

/** What functions that run in the page see of it. */
interface Styled {
  getComputedStyle(element: unknown): { color: string };
}
interface Row {
  matches(selector: string): boolean;
}

const MIB = 1024 * 1024;

/** A customer's work in the file manager, in a browser with scripts. The home has `docs/a.php`. */
export async function walkFileManager(visitor: BrowserVisitor, home: HomeUnderTest): Promise<void> {
  const { page } = visitor;
  await edit(visitor, home);
  await upload(visitor, home);
  await useKeys(visitor);
  await page.goto('/files/trash');
  await page.locator('form[action="/files/trash/restore"] button').first().click();
  await page.waitForURL(/\/files(\/browse\/.*)?$/);
  visitor.requireNoFault();
}

async function edit(visitor: BrowserVisitor, home: HomeUnderTest): Promise<void> {
  const { page } = visitor;
  await visitor.open('/files/browse/docs');
  await page.locator('.fm-rows a', { hasText: 'a.php' }).first().click();
  const editor = page.locator('.cm-content');
  await editor.waitFor();
  // The colors are those of the syntax, so the styles of the editor passed the policy.
  const key = page.locator('.cm-line span', { hasText: 'echo' }).first();
  const colorOf = (element: unknown) => (globalThis as unknown as Styled).getComputedStyle(element).color;
  const [ofKeyword, ofText] = await Promise.all([key.evaluate(colorOf), editor.evaluate(colorOf)]);
  expect(ofKeyword).not.toBe(ofText);
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\necho 2;');
  await page.locator('#editor-state:visible').waitFor();
  await page.keyboard.press('Control+s');
  await page.locator('#editor-state').waitFor({ state: 'hidden' });
  await expect.poll(() => home.read('docs/a.php')).toContain('echo 2;');
  await page.keyboard.press('Control+f');
  await page.locator('.cm-search').waitFor();
  await page.keyboard.press('Escape');
  // Somebody else changes the file: the text stays, and is saved only when that is wanted.
  await home.write('docs/a.php', '<?php echo "theirs";\n');
  await editor.click();
  await page.keyboard.type('// mine');
  await page.keyboard.press('Control+s');
  await page.locator('#editor-refusal:visible').waitFor();
  expect(await home.read('docs/a.php')).toContain('theirs');
  await page.locator('#editor-overwrite button').click();
  await page.locator('#editor-refusal').waitFor({ state: 'hidden' });
  await expect.poll(() => home.read('docs/a.php')).toContain('// mine');
  visitor.requireNoFault();
}

async function upload(visitor: BrowserVisitor, home: HomeUnderTest): Promise<void> {
  const { page } = visitor;
  await visitor.open('/files/browse/docs');
  await page.locator('summary', { has: page.locator('use[href$="#upload"]') }).click();
  const large = Buffer.alloc(20 * MIB, 'large file ');
  await page.setInputFiles('#upload-files', [
    { name: 'large.bin', mimeType: 'application/octet-stream', buffer: large },
    { name: 'small.txt', mimeType: 'text/plain', buffer: Buffer.from('small') },
  ]);
  await page.locator('#upload button[type=submit]').click();
  await page.locator('.fm-rows a', { hasText: 'large.bin' }).waitFor({ timeout: 60_000 });
  await page.locator('.fm-rows a', { hasText: 'small.txt' }).waitFor();
  expect((await home.read('docs/large.bin')).length).toBe(large.length);
  await page.evaluate(DROP);
  await page.locator('.fm-rows a', { hasText: 'loose.txt' }).waitFor({ timeout: 60_000 });
  await expect.poll(() => home.read('docs/album/deep/two.txt').catch(() => '')).toBe('two');
  expect(await home.read('docs/album/one.txt')).toBe('one');
  // A file that exists is replaced only when that is wanted.
  await page.locator('summary', { has: page.locator('use[href$="#upload"]') }).click();
  await page.setInputFiles('#upload-files', [
    { name: 'small.txt', mimeType: 'text/plain', buffer: Buffer.from('new and small') },
  ]);
  await page.locator('#upload button[type=submit]').click();
  await page.locator('#uploads button').first().click();
  await expect.poll(() => home.read('docs/small.txt')).toBe('new and small');
  visitor.requireNoFault();
}

async function useKeys(visitor: BrowserVisitor): Promise<void> {
  const { page } = visitor;
  await visitor.open('/files/browse/docs');
  const rows = page.locator('.fm-rows .item > a');
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  expect(await rows.nth(1).evaluate((row) => (row as unknown as Row).matches(':focus'))).toBe(true);
  await page.keyboard.press('Space');
  await page.locator('.fm-chosen:visible').waitFor();
  await page.keyboard.press('Delete');
  await page.keyboard.press('Enter');
  await page.locator('#notice').waitFor();
  visitor.requireNoFault();
}

/** Pages to look at in every size, light and dark. */
export const filePagesToInspect = [
  '/files',
  '/files/browse/docs',
  '/files/open/docs/a.php',
  '/files/entry/docs',
  '/files/entry/docs/a.php',
  '/files/search/?text=echo&by=content',
  '/files/trash',
] as const;
