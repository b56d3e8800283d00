import { textLength } from './segments.ts';

/** "Counter label: Characters: n/max". */
export function counterLabel(text: string, max: number, suffix?: string): string {
  return `Characters: ${textLength(text, suffix)}/${max}`;
}

export function exceedsLength(text: string, max: number, suffix?: string): boolean {
  return textLength(text, suffix) > max;
}

/** Conversation compose: "Your message can't exceed [n] characters." */
export function messageTooLong(max: number): string {
  return `Your message can't exceed ${max} characters.`;
}

/** Broadcast text and survey replies: "Can't exceed max characters." or "Can't exceed {n} characters." */
export function textTooLong(max?: number): string {
  return `Can't exceed ${max ?? 'max'} characters.`;
}

/** Conversation dialog, fixed-personalized dialog and quick send: the same without the period. */
export function dialogTextTooLong(max: number): string {
  return `Can't exceed ${max} characters`;
}
