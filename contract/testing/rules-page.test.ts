import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rulesPage } from './rules-page.ts';

describe('the rules page', () => {
  it('holds every table of cases, with rule, message and examples', async () => {
    const page = await rulesPage();
    const root = join(import.meta.dirname, '..', '..');
    expect(globSync('contract/**/*.cases.ts', { cwd: root }).length).toBeGreaterThan(10);
    expect(page).toContain(
      '### Calling windows\n\n[contract/time/calling-window.ts](../contract/time/calling-window.ts)',
    );
    expect(page).toContain('**Default calling window 9:00 AM-9:00 PM**');
    expect(page).toContain('> Choose a \\[field\\] within your Calling Window');
    expect(page).toContain('| `"12:00 AM"` | `{ Hour: 0, Minute: 0 }` |');
  });

  it('is the same every time', async () => {
    expect(await rulesPage()).toBe(await rulesPage());
  });

  it('is a page of whole tables: every example has two cells, every link of the contents a heading', async () => {
    const page = await rulesPage();
    const rows = page.split('\n').filter((line) => line.startsWith('|'));
    for (const row of rows) expect([row, row.replaceAll('\\|', '').split('|').length]).toEqual([row, 4]);
    const headings = new Set([...page.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading));
    const linked = [...page.matchAll(/\[([^\]]+)\]\(#[^)]+\)/g)].map(([, heading = '']) => heading);
    expect(new Set(linked)).toEqual(headings);
  });
});
