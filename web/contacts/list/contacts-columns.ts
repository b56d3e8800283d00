import { useCallback, useState } from 'react';
import type { CustomField } from '../../../contract/contacts.ts';
import { say } from '../../ui/say.ts';

/** Columns beside the name, in their order on the page. Custom fields follow as `field-12`. */
export const columnNames = {
  phone: say('Phone'),
  texting: say('Texting'),
  groups: say('Groups'),
  lasttext: 'Last text',
  notes: say('Notes'),
  phone2: 'Second phone',
  phone3: 'Third phone',
  added: say('Added'),
} as const;

const shownAtFirst: readonly string[] = ['phone', 'texting', 'groups', 'lasttext', 'notes'];
const storageKey = 'muster-contacts-columns';

export function columnOfField({ FieldID }: Pick<CustomField, 'FieldID'>): string {
  return `field-${FieldID}`;
}

function recall(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    if (Array.isArray(kept)) return kept.filter((name) => typeof name === 'string');
  } catch {
    // The stored value isn't ours, so it is ignored.
  }
  return shownAtFirst;
}

function remember(shown: readonly string[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(shown));
  } catch {
    // Storage is full or refused: the choice lasts as long as the page.
  }
}

/** The columns that this person has chosen, remembered in this browser. */
export function useColumns() {
  const [shown, setShown] = useState(recall);
  const toggle = useCallback((name: string) => {
    setShown((before) => {
      const next = before.includes(name) ? before.filter((one) => one !== name) : [...before, name];
      remember(next);
      return next;
    });
  }, []);
  return { shown, toggle };
}
