import type { RecipientProblem } from '../draft-recipients.ts';
import { asynchronousMessages } from '../fields/asynchronous-checks.ts';
import { phoneHint } from '../reference/countries.ts';
import { say } from '../say.ts';

/** Reasons why somebody gets nothing, as headings above the people affected. */
export const recipientProblemLabels: Readonly<Record<RecipientProblem, string>> = {
  duplicate: say('Duplicate'),
  opted_out: 'Opted out',
  not_opted_in: 'Not opted in',
  not_textable: 'Not textable',
  unreachable: say('Unreachable'),
  invalid: 'Invalid number',
  not_verified: 'Not verified',
  excluded: 'Removed manually',
  too_long: 'Text too long',
  invalid_field: 'Can’t be personalized',
  missing_data: 'Personalized field missing',
  do_not_call: 'Do not call',
  too_often: 'Had enough broadcasts',
};

/** The same as a sentence beside one person. */
export const recipientProblemMessages: Readonly<Record<RecipientProblem, string>> = {
  duplicate: 'One phone, one message. The first name in the group is used.',
  opted_out: asynchronousMessages.optedOutOfTexts,
  not_opted_in: asynchronousMessages.notOptedIn,
  not_textable: asynchronousMessages.notTextable,
  unreachable: 'The last three texts to this number weren’t delivered.',
  invalid: phoneHint(1),
  not_verified: 'During the free trial, you can text only verified numbers.',
  excluded: 'Removed manually.',
  too_long: 'The text is too long for this recipient once it is personalized.',
  invalid_field: 'The text can’t be personalized for this recipient.',
  missing_data: 'This recipient has no value for a personalized field in the text.',
  do_not_call: asynchronousMessages.optedOutOfCalls,
  too_often: 'They’ve had as many broadcasts as your organization allows.',
};

/**
 * At the field of a number that is added by hand: there a duplicate is a mistake, not a second member of a
 * group with the same phone.
 */
export function refusedNumber(problem: RecipientProblem, countryId: number): string {
  if (problem === 'duplicate') return asynchronousMessages.alreadyInBroadcast;
  return problem === 'invalid' ? phoneHint(countryId) : recipientProblemMessages[problem];
}
