import { defaults, limits } from '../reference/limits.ts';

const ellipsis = '…';

/** Quick-send template names are capped at 50 characters with an ellipsis. */
export function quickSendTemplateName(name: string): string {
  return capped(name, limits.templateName);
}

/** The broadcast that a quick send makes: "Quick Send: " and the name, truncated to 50 characters. */
export function quickSendBroadcastName(name: string): string {
  return firstCharacters(`${defaults.quickSendPrefix}${name.trim()}`, limits.broadcastName).trimEnd();
}

function capped(text: string, most: number): string {
  const short = firstCharacters(text, most);
  return short === text ? text : `${firstCharacters(text, most - ellipsis.length).trimEnd()}${ellipsis}`;
}

/** Never half of an emoji. */
function firstCharacters(text: string, most: number): string {
  // Twice as many units hold at least as many characters.
  return [...text.slice(0, most * 2)].slice(0, most).join('');
}
