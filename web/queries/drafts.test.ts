import { describe, expect, it } from 'vitest';
import { createDrafts } from './drafts.ts';

function memory() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

describe('drafts', () => {
  it('keeps what was written by conversation, over a reload', () => {
    const storage = memory();
    createDrafts(storage, 'drafts-1').set(5, { text: 'If nobody is home', pictures: [] });
    const after = createDrafts(storage, 'drafts-1');
    expect(after.get(5).text).toBe('If nobody is home');
    expect(after.get(6).text).toBe('');
  });

  it('forgets a draft that was emptied', () => {
    const storage = memory();
    const drafts = createDrafts(storage, 'drafts-1');
    drafts.set(5, { text: 'Hello', pictures: [] });
    drafts.set(5, { text: '', pictures: [] });
    expect(drafts.all()).toEqual({});
    expect(storage.kept.size).toBe(0);
  });

  it('shows one user nothing of another', () => {
    const storage = memory();
    createDrafts(storage, 'drafts-1').set(5, { text: 'private', pictures: [] });
    expect(createDrafts(storage, 'drafts-2').all()).toEqual({});
  });

  it('hears what another window has written', () => {
    const storage = memory();
    const here = createDrafts(storage, 'drafts-1');
    const there = createDrafts(storage, 'drafts-1');
    let told = 0;
    here.subscribe(() => {
      told += 1;
    });
    there.set(5, { text: 'Typed there', pictures: [] });
    here.hear('something-else');
    expect(told).toBe(0);
    here.hear('drafts-1');
    expect([told, here.get(5).text]).toEqual([1, 'Typed there']);
  });

  it('works on when storage refuses', () => {
    const refusing = {
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
      removeItem: () => {},
    };
    const drafts = createDrafts(refusing, 'drafts-1');
    drafts.set(5, { text: 'Hello', pictures: [] });
    expect(drafts.get(5).text).toBe('Hello');
  });
});
