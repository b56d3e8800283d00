import { describe, expect, it } from 'vitest';
import { taxWords } from './purchase-words.ts';

describe('sales tax that can’t be worked out', () => {
  const onFile = { isOfCardOnFile: true, canManageCard: true };

  it('says nothing of a partial address on file where its fields are shown', () => {
    expect(taxWords('Incomplete', onFile)).toBeUndefined();
  });

  it('says it of a typed address, without which Pay would do nothing', () => {
    expect(taxWords('Incomplete', { ...onFile, isOfCardOnFile: false })).toBe(
      'We only have a partial billing address on file. Please enter your full billing address below.',
    );
  });

  it('sends whoever can’t change the card to its owner', () => {
    expect(taxWords('Incomplete', { ...onFile, canManageCard: false })).toBe(
      'The billing address of the card on file is incomplete, so the sales tax can’t be calculated. Ask an account owner to complete it.',
    );
  });

  it.each([true, false])('says what is wrong with any other address to everybody (%j)', (canManageCard) => {
    expect(taxWords('ServiceFailure', { ...onFile, canManageCard })).toBe(
      'Cannot calculate sales tax at this time.',
    );
  });
});
