import { z } from 'zod';
import { maxLength, required } from '../fields/basic-rules.ts';
import { noPersonalization, restrictShortUrls } from '../fields/content-rules.ts';
import { lineField, trimmedField } from '../fields/form.ts';

export const emergencyLimits = {
  /** "Emergency: " before it still fits into the name of a broadcast. */
  title: 35,
  /** Four texts of 150 characters: more is not read in a hurry. */
  text: 600,
  /** A minute of talking. */
  spoken: 900,
  /** Buttons that still fit on a telephone's screen. */
  messages: 12,
  groups: 20,
} as const;

/** Everybody gets the same words: nobody waits for them to be put together, and nobody is left out for a missing name. */
export const emergencyTextRules = [
  maxLength('Text Message', emergencyLimits.text),
  noPersonalization(),
  restrictShortUrls('Text Message'),
];

/** A message that an organization keeps ready. */
export const emergencyMessageForm = z.object({
  Title: lineField(required('Title'), maxLength('Title', emergencyLimits.title)),
  TextMessage: trimmedField(required('Text Message'), ...emergencyTextRules),
  SpokenText: trimmedField(
    required('Spoken Message'),
    maxLength('Spoken Message', emergencyLimits.spoken),
    noPersonalization(),
  ),
});
