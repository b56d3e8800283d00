import { say } from './say.ts';

/** The eight colors of groups and tags: name, hue, saturation. Teal is excluded, because it marks actions. */
export const colors = [
  { name: say('Gray'), hue: 165, saturation: 6 },
  { name: say('Blue'), hue: 214, saturation: 58 },
  { name: say('Violet'), hue: 264, saturation: 46 },
  { name: say('Pink'), hue: 328, saturation: 50 },
  { name: say('Red'), hue: 8, saturation: 58 },
  { name: say('Amber'), hue: 38, saturation: 78 },
  { name: say('Green'), hue: 132, saturation: 36 },
  { name: say('Sky'), hue: 194, saturation: 62 },
] as const;

export function shadesOf(color: number): { light: string; dark: string } {
  const { hue, saturation } = colors[color] ?? colors[0];
  return { light: `hsl(${hue} ${saturation}% 47%)`, dark: `hsl(${hue} ${saturation}% 66%)` };
}

/** The least used color, so that new groups and tags stand out. */
export function freeColor(taken: readonly { Color: number }[]): number {
  const counts = colors.map((_, color) => taken.filter(({ Color }) => Color === color).length);
  return counts.indexOf(Math.min(...counts));
}
