import { createDictionary } from '../../contract/dictionary.ts';
import type { OpenApi } from '../reference/openapi.ts';
import { said, saidReply } from '../ui/said.ts';

/** The description of the API as the reference shows it. Its words are loaded with it, by nobody else. */
export async function saidDescription(description: OpenApi): Promise<OpenApi> {
  // The second one waits until the dictionary of refusals is there.
  const [{ default: catalog }] = await Promise.all([import('virtual:muster-calls'), saidReply(null)]);
  const translate = createDictionary(catalog);
  const isShown = (field: string) => field === 'summary' || field === 'description';
  const sayIn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sayIn);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([field, held]) => [
      field,
      isShown(field) && typeof held === 'string' ? sayLines(held, translate) : sayIn(held),
    ]);
    return Object.fromEntries(entries);
  };
  return sayIn(description) as OpenApi;
}

/** Refusals are lines: "1001: That username and password don’t match." */
function sayLines(words: string, translate: (words: string) => string): string {
  const whole = translate(words);
  if (whole !== words) return whole;
  return words
    .split('\n')
    .map((line) => line.replace(/^(\d+: )?(.*)$/s, (_, code = '', sentence) => `${code}${said(sentence)}`))
    .join('\n');
}
