/** A text button in a line of small print. */
export const smallAction = { height: 24, px: '6px', fontSize: 12 } as const;
