/** The eight colours a group or a tag may have: name, hue, saturation. Teal is left out: it means "you can act here". */
export const colours = [
  { name: 'Gray', hue: 165, saturation: 6 },
  { name: 'Blue', hue: 214, saturation: 58 },
  { name: 'Violet', hue: 264, saturation: 46 },
  { name: 'Pink', hue: 328, saturation: 50 },
  { name: 'Red', hue: 8, saturation: 58 },
  { name: 'Amber', hue: 38, saturation: 78 },
  { name: 'Green', hue: 132, saturation: 36 },
  { name: 'Sky', hue: 194, saturation: 62 },
] as const;

export function shadesOf(colour: number): { light: string; dark: string } {
  const { hue, saturation } = colours[colour] ?? colours[0];
  return { light: `hsl(${hue} ${saturation}% 47%)`, dark: `hsl(${hue} ${saturation}% 66%)` };
}

/** The colour that the fewest have, so that new ones can be told apart. */
export function freeColour(taken: readonly { Colour: number }[]): number {
  const counts = colours.map((_, colour) => taken.filter(({ Colour }) => Colour === colour).length);
  return counts.indexOf(Math.min(...counts));
}
