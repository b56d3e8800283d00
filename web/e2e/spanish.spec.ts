import { globSync, readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { checkWidth } from './everybody.ts';
import { test } from './journey.ts';
import { signIn } from './stack.ts';

/** Every sentence that has a Spanish one, in English. */
const english = new Set(
  globSync(['web/languages/es/*.json', 'contract/languages/es/*.json']).flatMap((file) =>
    Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string | null>)
      .filter(([sentence, spanish]) => spanish !== null && spanish !== sentence && / /.test(sentence))
      .map(([sentence]) => sentence),
  ),
);

/** Names in the demo that a page could say as well. */
const demoNames = ['School closed', 'Student information system'];

/** The words that people read or hear on a page: texts, labels, placeholders. */
async function wordsOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const words: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element) {
        for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
          words.push(node.getAttribute(name) ?? '');
      } else words.push(node.textContent ?? '');
    }
    return words.map((word) => word.trim()).filter((word) => word !== '');
  });
}

async function checkSpanish(page: Page, path: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await checkWords(page, path);
}

async function checkWords(page: Page, path: string): Promise<void> {
  const left = (await wordsOn(page)).filter((word) => english.has(word) && !demoNames.includes(word));
  expect({ path, left }).toEqual({ path, left: [] });
}

test('somebody who reads Spanish sees no English sentence', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Español' }).click();
  await expect(page.getByRole('button', { name: 'Iniciar sesión' })).toBeVisible();
  await checkSpanish(page, '/login');
  await signIn(page, 'demo-owner', '/settings/profile');
  // The person's own setting, English, is what counts once they are signed in.
  await page.getByLabel('Language').selectOption('Español');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  for (const path of [
    ...['/home', '/inbox', '/broadcasts', '/emergency', '/reports/usage-summary', '/settings/text'],
    // The server's sentences about integrations come in Spanish too.
    ...['/settings/billing', '/settings/security', '/automation', '/upgrade', '/settings/webhooks'],
  ]) {
    await page.goto(path);
    await checkSpanish(page, path);
    if (path === '/inbox') await checkWidth(page, path);
    if (path !== '/settings/webhooks') continue;
    // Names of events are the contract's words.
    await page.getByRole('button', { name: 'Agregar un punto de conexión' }).first().click();
    await expect(page.getByRole('dialog').getByText('Alguien le escribió')).toBeVisible();
    await checkWords(page, `${path}, in its dialog`);
  }
  await page.goto('/settings/profile');
  await page.getByLabel('Idioma').selectOption('English');
  await page.getByRole('button', { name: 'Guardar' }).first().click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});
