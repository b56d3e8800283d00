import { expect, it } from 'vitest';
import { languages } from '../../../contract/reference/languages.ts';
import { languageOfWords } from './speak-words.ts';

const idOf = (code: 'en' | 'es') => languages.find((language) => language.code === code)?.id ?? 0;

it.each([
  // Names have an ñ and Spanish articles.
  ['Cañon City schools closed today.', 'en', 'en'],
  ['Lockdown at La Cañada High School. Stay inside.', 'en', 'en'],
  ['Lockdown. Stay inside. Lock all doors.', 'en', 'en'],
  ['Evacuate San José Elementary.', 'en', 'en'],
  ['', 'en', 'en'],
  ['La escuela está cerrada hoy por la nieve.', 'es', 'es'],
  ['Evacúen ahora. No entren.', 'es', 'es'],
  ['Simulacro.', 'es', 'es'],
  ['¡Incendio!', 'es', 'es'],
  // As many words of both.
  ['La Puente: lockdown in progress.', 'en', 'es'],
] as const)('reads “%s” in its own language', (words, toEnglish, toSpanish) => {
  expect(languageOfWords(words, idOf('en'))).toBe(toEnglish);
  expect(languageOfWords(words, idOf('es'))).toBe(toSpanish);
});
