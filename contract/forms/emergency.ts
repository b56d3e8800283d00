import { z } from 'zod';
import { maxLength, required } from '../fields/basic-rules.ts';
import { noPersonalization, restrictShortUrls } from '../fields/content-rules.ts';
import { flagField, lineField, trimmedField } from '../fields/form.ts';
import { limits } from '../reference/limits.ts';

const most = limits.emergency;

/**
 * Everybody gets the same words: sending doesn't wait for a merge, and nobody is left out for a missing name.
 */
export const emergencyTextRules = [
  maxLength('Text Message', most.text),
  noPersonalization(),
  restrictShortUrls('Text Message'),
];

/** A message that an organization keeps ready. */
export const emergencyMessageForm = z.object({
  Title: lineField(required('Title'), maxLength('Title', most.title)),
  TextMessage: trimmedField(required('Text Message'), ...emergencyTextRules),
  SpokenText: trimmedField(
    required('Spoken Message'),
    maxLength('Spoken Message', most.spoken),
    noPersonalization(),
  ),
});

/** The groups it can go to, the group of drills, and who may start one. */
export const emergencySettingsForm = z.object({
  ListIDs: z.array(z.number().int()).max(most.groups, `Choose at most ${most.groups} groups`),
  /** Null: the users who have a phone. */
  DrillListID: z.number().int().nullable(),
  IsForEveryone: flagField(),
});
