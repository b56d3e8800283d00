import { expect, it } from 'vitest';
import { createDictionary } from './dictionary.ts';

const say = createDictionary({
  '{name} did not get it: {label}. {tooltip}': '{name} no lo recibió: {label}. {tooltip}',
  '{name} got it.': '{name} lo recibió.',
  Failed: 'Fallido',
  'Try again later.': 'Inténtelo más tarde.',
  'Muster {word}': null,
});

it('finds a sentence by its pattern, and translates the values in it', () => {
  expect(say('Failed')).toBe('Fallido');
  expect(say('Renee got it.')).toBe('Renee lo recibió.');
  expect(say('Renee did not get it: Failed. Try again later.')).toBe(
    'Renee no lo recibió: Fallido. Inténtelo más tarde.',
  );
});

it('leaves sentences that it doesn’t know or that have no translation', () => {
  expect(say('Nobody knows this.')).toBe('Nobody knows this.');
  expect(say('Muster works')).toBe('Muster works');
});

it('translates each sentence, never by a pattern with hardly a word, and leaves fields of messages', () => {
  const speak = createDictionary({
    '{name} got it.': '{name} lo recibió.',
    'They replied.': 'Respondieron.',
    '{first} to {last}': 'de {first} a {last}',
    'There is no field {{{name}}}.': 'No hay un campo {{{name}}}.',
    'Enter {label}': 'Falta: {label}',
    Name: 'Nombre',
    City: 'Ciudad',
  });
  expect(speak('Ana got it. They replied.')).toBe('Ana lo recibió. Respondieron.');
  expect(speak('Bus 4 to school')).toBe('Bus 4 to school');
  expect(speak('There is no field {{City}}.')).toBe('No hay un campo {{City}}.');
  expect(speak('Enter a Name')).toBe('Falta: Nombre');
});

it('puts schedules together from parts that are all known', () => {
  const speak = createDictionary({
    '{repeat} at {time}': '{repeat}, {time}',
    '{repeat} at {time}, until {month} {day}, {year}':
      '{repeat}, {time}, hasta el {day} de {month} de {year}',
    '{every} on {days}': '{every}: {days}',
    '{join} and {last}': '{join} y {last}',
    'Every week': 'Cada semana',
    Monday: 'lunes',
    Tuesday: 'martes',
    Friday: 'viernes',
    'May#month': 'mayo',
    'AM#clock': 'a.m.',
    '{name} got it.': '{name} lo recibió.',
  });
  expect(speak('Every week on Monday, Tuesday and Friday at 9:00 AM')).toBe(
    'Cada semana: lunes, martes y viernes, 9:00 a.m.',
  );
  expect(speak('Every week on Friday at 9:00 AM, until May 4, 2027')).toBe(
    'Cada semana: viernes, 9:00 a.m., hasta el 4 de mayo de 2027',
  );
  expect(speak('Bus 4 and 5 are late at school')).toBe('Bus 4 and 5 are late at school');
  expect(speak('May got it.')).toBe('May lo recibió.');
});
