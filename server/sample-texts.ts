import { cannedMessages } from '../contract/reference/canned-messages.ts';
import { inLanguage } from './in-language.ts';

/** Texts to try Muster with, in the language of whoever tries it. */
export function samplesFor(companyName: string, languageId: number): string[] {
  return cannedMessages(companyName).map(inLanguage(languageId));
}
