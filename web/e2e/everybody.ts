import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What every page owes everybody, at any size and in any colours: axe finds nothing, nothing scrolls sideways. */
export async function checkForEverybody(page: Page, name: string): Promise<void> {
  await checkWidth(page, name);
  // Legacy mode looks at the page without a second one for its frames, which takes half the time; we have no frames.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' ')}`);
  expect([name, found]).toEqual([name, []]);
}

export async function checkWidth(page: Page, name: string): Promise<void> {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect([name, over]).toEqual([name, 0]);
}
