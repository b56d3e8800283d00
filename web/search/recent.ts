import type { Found } from '../../contract/search.ts';

/** The results opened from the search in this tab, the latest first. They are forgotten with the tab. */
const key = 'muster-search-recent';
const most = 5;

export type Recent = Pick<Found, 'Kind' | 'ID' | 'Name'> & { userId: number };

export function readRecent(userId: number): Recent[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '[]') as Recent[];
    return kept.filter((one) => one.userId === userId);
  } catch {
    return [];
  }
}

export function noteRecent(opened: Recent): void {
  const { Kind, ID, Name, userId } = opened;
  const others = readRecent(userId).filter((one) => one.Kind !== Kind || one.ID !== ID);
  try {
    sessionStorage.setItem(key, JSON.stringify([{ Kind, ID, Name, userId }, ...others].slice(0, most)));
  } catch {
    // Storage is full or not allowed: the search works without.
  }
}
