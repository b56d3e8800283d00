import type { Country } from '../../contract/reference/countries.ts';
import { locale } from './locale.ts';

/** A country as readers of the page call it. */
export function countryName({ code, name }: Pick<Country, 'code' | 'name'>): string {
  if (locale.startsWith('en')) return name;
  return new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? name;
}
