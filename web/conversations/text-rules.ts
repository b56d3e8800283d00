import type { Account } from '../../contract/accounts.ts';
import { conversationLimits } from '../../contract/conversations.ts';
import { imageLimits } from '../../contract/media.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { isInternational } from '../../contract/reference/countries.ts';
import { countSegments } from '../../contract/text/segments.ts';
import { countOf } from '../ui/format.ts';

/** Why a text can't be sent as it is, in the specification's words; undefined when it can. */
export function textProblem(text: string, pictures: number, limit: number): string | undefined {
  if (text.trim() === '' && pictures === 0) return 'Enter a Text Message.';
  return isTooLong(text, limit) ? `Your message can't exceed ${limit} characters.` : undefined;
}

export function isTooLong(text: string, limit: number): boolean {
  return text.length > limit;
}

/** The user's own limit, never beyond what any text may hold. */
export function characterLimit(account: Account | undefined): number {
  return Math.min(account?.CurrentUser?.TextMessageCharacterLimit ?? 160, conversationLimits.longestText);
}

/** "1 segment · 1 credit": what the text will take, reckoned as the server does. */
export function costLabel(
  text: string,
  pictures: number,
  account: Pick<Account, 'CountryID' | 'AccountTypeID'> | undefined,
  number: Pick<TextNumber, 'FlatRateConversationStatus'> | undefined,
): string {
  if (text.trim() === '' && pictures === 0) return '';
  const international = isInternational(account?.CountryID ?? 1);
  const segments = Math.max(1, countSegments(text, { international, extraCredit: pictures > 0 }).segments);
  const status = number?.FlatRateConversationStatus;
  const isFlatRate = status === 'Active' || status === 'CancelPending';
  // Monthly accounts pay by the month, not by the text.
  const takesCredits = account?.AccountTypeID !== 1 && account?.AccountTypeID !== 3;
  const credits = takesCredits && !isFlatRate ? segments : 0;
  return `${countOf(segments, 'segment', 'segments')} · ${credits === 0 ? 'no credits' : countOf(credits, 'credit', 'credits')}`;
}

export const unsupportedImage = 'Unsupported image format. You can send either .png or .jpg images.';
export const acceptedImages = 'image/png,image/jpeg';

/** Why a file can't be attached, before anything is sent. */
export function pictureProblem(file: { type: string; size: number }, already: number): string | undefined {
  if (!acceptedImages.split(',').includes(file.type)) return unsupportedImage;
  if (file.size > imageLimits.bytes)
    return 'This picture is larger than 5 MB. Make it smaller and try again.';
  if (already >= conversationLimits.pictures)
    return `A text can carry at most ${conversationLimits.pictures} pictures.`;
  return undefined;
}
