import { z } from 'zod';
import { required } from '../fields/basic-rules.ts';
import { trimmedField } from '../fields/form.ts';
import { limits } from '../reference/limits.ts';

const { min, max } = limits.textToSpeechSeconds;

export const textToSpeechForm = z.object({
  Text: trimmedField(required('Message text', 'Message text is required')),
});

/** About the audio that was made of the text. */
export function textToSpeechLength(seconds: number): string | undefined {
  if (seconds >= max) return `Audio length cannot be ${max} seconds or longer`;
  return seconds < min ? `Audio length must be at least ${min} seconds` : undefined;
}
