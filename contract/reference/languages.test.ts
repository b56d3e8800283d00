import { expect, it } from 'vitest';
import { languageCode, requestedLanguage } from './languages.ts';

it('goes by what was chosen in this browser, then by what the browser prefers', () => {
  expect(requestedLanguage({})).toBe('en');
  expect(requestedLanguage({ 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' })).toBe('es');
  expect(requestedLanguage({ 'accept-language': 'fr-CA, en;q=0.5, es;q=0.7' })).toBe('es');
  expect(requestedLanguage({ 'accept-language': 'de, fr;q=0.5' })).toBe('en');
  expect(requestedLanguage({ cookie: 'a=b; muster-language=en', 'accept-language': 'es' })).toBe('en');
  expect(requestedLanguage({ cookie: 'muster-language=es; c=d', 'accept-language': 'en' })).toBe('es');
  expect(requestedLanguage({ cookie: 'muster-language=xx', 'accept-language': 'es;q=nonsense,en' })).toBe(
    'en',
  );
});

it('treats a language that it doesn’t know as English', () => {
  expect([1, 2, 7].map(languageCode)).toEqual(['en', 'es', 'en']);
});
