/** Hue and saturation of the six avatar colors. */
const tints = [
  [168, 20],
  [215, 26],
  [44, 30],
  [264, 18],
  [192, 24],
  [24, 24],
] as const;

/** The same name always gets the same color. */
export function tintOf(name: string): readonly [number, number] {
  let hash = 2166136261;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
  return tints[(hash >>> 0) % tints.length] ?? tints[0];
}

/** The initials of the first and last word; "#" without a name. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word));
  const first = words[0];
  if (first === undefined) return '#';
  const last = words.length > 1 ? words[words.length - 1] : undefined;
  const letter = (word: string) => word.match(/\p{L}/u)?.[0] ?? '';
  return (letter(first) + (last === undefined ? '' : letter(last))).toLocaleUpperCase('en-US');
}
