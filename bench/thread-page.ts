import { type Browser, chromium, type Page } from '@playwright/test';
import { findBrowsers } from '../scripts/browser.ts';
import type { Bench } from './harness.ts';

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: (await findBrowsers()).whole,
    args: ['--no-sandbox', '--disable-gpu'],
  });
}

/** The phone whose thread is open: somebody of the demo organization. */
export const phone = '14235550143';

/** The browser of demo-admin with that thread open; it notes when the thread first shows a text like `word-7-end`. */
export async function openThread(browser: Browser, { serverUrl }: Bench): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const answer = await page.request.post(`${serverUrl}/proxy/public/login`, {
    data: { UserName: 'demo-admin', Password: 'muster-demo-1' },
  });
  if (!answer.ok()) throw new Error(`could not sign in: ${answer.status()}`);
  const found = await page.request.get(`${serverUrl}/proxy/api/conversations?q=${phone.slice(1)}`);
  const { Items } = (await found.json()) as { Items: { ConversationID: number }[] };
  await page.goto(`${serverUrl}/inbox/${Items[0]?.ConversationID}`);
  await page.getByText('I can’t leave work before 2').first().waitFor();
  await page.evaluate(() => {
    const seen: Record<string, number> = {};
    Object.assign(window, { seen });
    new MutationObserver((changes) => {
      const now = Date.now();
      for (const { addedNodes, target, type } of changes) {
        for (const node of type === 'characterData' ? [target] : addedNodes) {
          const element = node instanceof Element ? node : node.parentElement;
          // The list shows the latest text too: that is not the thread.
          if (element === null || element.closest('[aria-label="Conversations"]')) continue;
          for (const [text] of node.textContent?.matchAll(/\w+-\d+-end/g) ?? []) seen[text] ??= now;
        }
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  return page;
}

/** Time when the thread first showed each text. */
export function seenTexts(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() => (window as unknown as { seen: Record<string, number> }).seen);
}
