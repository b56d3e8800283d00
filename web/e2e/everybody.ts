import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

/** Half as much for a page to read as the other one. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Requirements of every page, at any size and in any colors: axe finds nothing, nothing scrolls sideways. */
export async function checkForEverybody(page: Page, name: string): Promise<void> {
  await checkWidth(page, name);
  // Outdated content is faded, which lowers its contrast.
  await expect(page.locator('[aria-busy="true"]'), name).toHaveCount(0);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const found = await page.evaluate(async () => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await inPage.run(
      // A tooltip lies beside the page's landmarks wherever the pointer happens to be, and is gone when it moves on.
      { exclude: '[role="tooltip"]' },
      // Passed checks are not requested: they are most of the work. The style sheets are not fetched again.
      { resultTypes: ['violations'], reporter: 'no-passes', preload: false },
    );
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' ')}`);
  });
  expect([name, found]).toEqual([name, []]);
}

const desk = { width: 1440, height: 900 };
const phone = { width: 375, height: 812 };
/** Sizes and colors of pages: as few combinations as have every size and every color. */
export const looks = [
  { size: phone, colorScheme: 'dark' },
  { size: desk, colorScheme: 'light' },
] as const;

export async function look(page: Page, { size, colorScheme }: (typeof looks)[number]): Promise<void> {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme });
}

/** Checks the page as it is, first at the size of a phone and then at that of a desktop, which stays. */
export async function checkInAllLooks(page: Page, name: string): Promise<void> {
  for (const each of looks) {
    await look(page, each);
    await checkForEverybody(page, `${name} at ${each.size.width}, ${each.colorScheme}`);
  }
}

export async function checkWidth(page: Page, name: string): Promise<void> {
  // Polled: a page that has just become narrower draws itself again a moment later.
  await expect
    .poll(
      () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      name,
    )
    .toBe(0);
}
