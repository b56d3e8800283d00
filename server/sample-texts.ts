import { cannedMessages } from '../contract/reference/canned-messages.ts';
import { inLanguage } from './in-language.ts';

/** Texts for trying out Muster, in the user's language. */
export function samplesFor(companyName: string, languageId: number): string[] {
  return cannedMessages(companyName).map(inLanguage(languageId));
}
