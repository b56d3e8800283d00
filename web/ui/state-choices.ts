import type { State } from '../../contract/reference/states.ts';
import { locale } from './locale.ts';
import { said } from './said.ts';

/**
 * For a menu: by name, the United States before Canada. Called while a page is drawn, because names in another language
 * (Nueva York) come with the dictionary.
 */
export function stateChoices(states: readonly State[]): { value: string; label: string }[] {
  return states
    .map((state) => ({ ...state, label: stateName(state) }))
    .sort((a, b) => b.country.localeCompare(a.country) || a.label.localeCompare(b.label, locale))
    .map(({ code, label }) => ({ value: code, label }));
}

/** The catalog has them apart from other words, so that a group that is called Oregon stays Oregon. */
export function stateName({ name }: Pick<State, 'name'>): string {
  const word = `${name}#state`;
  const words = said(word);
  return words === word ? name : words;
}
