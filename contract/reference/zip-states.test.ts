import { expect, it } from 'vitest';
import { isPostalCodeInState } from './zip-states.ts';

it.each([
  ['37402', 'TN', true],
  ['37402-1234', 'TN', true],
  ['37402', 'GA', false],
  ['30301', 'GA', true],
  ['20001', 'DC', true],
  ['20101', 'VA', true],
  ['10001', 'NY', true],
  ['06390', 'NY', true],
  ['00901', 'PR', true],
  ['K1A 0B1', 'ON', true],
  ['K1A 0B1', 'QC', false],
  ['37402', 'ON', false],
  ['K1A 0B1', 'TN', false],
])('%s in %s: %s', (zip, state, expected) => expect(isPostalCodeInState(zip, state)).toBe(expected));
