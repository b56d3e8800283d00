/** Words that carriers treat as a test or an imitation when they are the whole message. */
const riskyWords: readonly string[] = ['test', 'at&t', 't-mobile', 'verizon'];

/** The warning for a message that consists only of one of those words, as it was typed; otherwise undefined. */
export function singleWordWarning(text: string): string | undefined {
  const word = text.trim();
  if (word.length > 10 || !riskyWords.includes(word.toLowerCase())) return undefined;
  return `The word "${word}" by itself could lead to your number being blocked by phone carriers. We recommend sending messages that are similar to the messages you will send normally.`;
}
