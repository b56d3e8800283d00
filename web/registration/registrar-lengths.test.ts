import { expect, it } from 'vitest';
import { lengthHelp, registrarLengths } from './registrar-lengths.ts';

it('says in time what the registrar doesn’t read', () => {
  const most = registrarLengths.sample;
  expect(lengthHelp('x'.repeat(320), most, 'Another text.')).toBe('Another text.');
  expect(lengthHelp('x'.repeat(321), most, 'Another text.')).toBe(
    'The registrar reads the first 320 characters. Put what matters first.',
  );
});
