import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

/** What every page owes everybody, at any size and in any colours: axe finds nothing, nothing scrolls sideways. */
export async function checkForEverybody(page: Page, name: string): Promise<void> {
  await checkWidth(page, name);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await inPage.run(
      // A tooltip lies beside the page's landmarks wherever the pointer happens to be, and is gone when it moves on.
      { exclude: '[role="tooltip"]' },
      // What passes is not asked for: it is most of the work.
      { resultTypes: ['violations'], reporter: 'no-passes' },
    );
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' ')}`);
  });
  expect([name, found]).toEqual([name, []]);
}

export async function checkWidth(page: Page, name: string): Promise<void> {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect([name, over]).toEqual([name, 0]);
}
