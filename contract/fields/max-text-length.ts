import { exceedsLength } from '../text/text-length.ts';
import { type Rule, ruleThat } from './rule.ts';

/** A text with its signature, as it is counted everywhere: see textLength. */
export function maxTextLength(max: number, message: string, suffix?: string): Rule {
  return ruleThat((value) => !exceedsLength(value, max, suffix), message);
}
