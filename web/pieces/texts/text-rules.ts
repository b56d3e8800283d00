import type { Account } from '../../../contract/accounts.ts';
import { firstFailure } from '../../../contract/fields/rule.ts';
import {
  characterLimit as atMost,
  composedText,
  composeMessages,
  picturesInText,
} from '../../../contract/forms/compose-text.ts';
import type { TextNumber } from '../../../contract/numbers.ts';
import { isInternational } from '../../../contract/reference/countries.ts';
import { defaults } from '../../../contract/reference/limits.ts';
import { isMonthly } from '../../../contract/states/account-status.ts';
import { textToSend } from '../../../contract/text/normalize-text.ts';
import { countSegments, SUFFIX_SEPARATOR } from '../../../contract/text/segments.ts';
import { exceedsLength } from '../../../contract/text/text-length.ts';
import { checkImageFile, type ImageUse } from '../../../contract/uploads/image.ts';
import { countOf } from '../../ui/format.ts';

/** Texts go out in plain characters, unless their writer keeps what was typed: an ellipsis counts as three dots. */
export function asSent(text: string, keepCharacters = false): string {
  return textToSend(text, { keepCharacters });
}

/**
 * Reason why a text, as it goes out, can't be sent, in the specification's words; undefined when it can. Spaces
 * around it aren't sent. A scheduled text may be written later.
 */
export function textProblem(
  text: string,
  {
    pictures,
    limit,
    signature,
    isScheduled,
  }: { pictures: number; limit: number; signature?: string | undefined; isScheduled: boolean },
): string | undefined {
  return firstFailure(
    text.trim(),
    composedText({
      maxLength: limit,
      hasMedia: pictures > 0,
      signature,
      mayBeWithoutText: isScheduled,
    }),
  );
}

/** Of a text as it goes out. */
export function isTooLong(text: string, limit: number, signature?: string): boolean {
  return exceedsLength(text.trim(), limit, signature);
}

/** The text as it goes out, with the signature under it. */
export function withSignature(text: string, signature: string | undefined): string {
  return signature ? `${text}${SUFFIX_SEPARATOR}${signature}` : text;
}

/** The user's own limit; while the account loads, that of a new user. */
export function characterLimit(account: Account | undefined): number {
  return atMost(
    account?.CurrentUser?.TextMessageCharacterLimit ?? defaults.user.DefaultSettingCharacterCount,
  );
}

interface Weighed {
  account: Pick<Account, 'CountryID' | 'AccountTypeID'> | undefined;
  number: Pick<TextNumber, 'FlatRateConversationStatus'> | undefined;
  pictures: number;
  signature?: string | undefined;
}

/** Segments and credits of one text, reckoned as the server does. */
export function weighText(
  text: string,
  { account, number, pictures, signature }: Weighed,
): { segments: number; credits: number } {
  const international = isInternational(account?.CountryID ?? 1);
  const options = { international, extraCredit: pictures > 0, suffix: signature };
  const segments = Math.max(1, countSegments(text, options).segments);
  const status = number?.FlatRateConversationStatus;
  const isFlatRate = status === 'Active' || status === 'CancelPending';
  // Monthly accounts pay by the month, not by the text.
  const takesCredits = !account || !isMonthly(account);
  return { segments, credits: takesCredits && !isFlatRate ? segments : 0 };
}

/** "1 segment · 1 credit": what the text takes as it goes out. */
export function costLabel(
  text: string,
  {
    pictures,
    account,
    number,
    signature,
  }: {
    pictures: number;
    account: Weighed['account'];
    number: Weighed['number'];
    signature?: string | undefined;
  },
): string {
  if (text.trim() === '' && pictures === 0) return '';
  const { segments, credits } = weighText(text, { account, number, pictures, signature });
  return `${countOf(segments, 'segment', 'segments')} · ${credits === 0 ? 'no credits' : countOf(credits, 'credit', 'credits')}`;
}

const extensions: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
]);

/** The types that a file dialog offers. */
export function acceptedImages(use: ImageUse): string {
  return [...extensions]
    .filter(([, extension]) => checkImageFile(`a.${extension}`, 1, use) === undefined)
    .map(([type]) => type)
    .join(',');
}

/** Reason why a file can't be attached, before anything is sent. */
export function pictureProblem(
  file: { type: string; size: number },
  already: number,
  use: ImageUse = 'conversation',
): string | undefined {
  // By its type, not its name: what is pasted may have none.
  const problem = checkImageFile(`a.${extensions.get(file.type) ?? ''}`, file.size, use);
  if (problem !== undefined) return problem;
  return already >= picturesInText ? composeMessages.tooManyPictures : undefined;
}
