import { nonWhitespace, required } from '../fields/basic-rules.ts';
import { maxTextLength } from '../fields/max-text-length.ts';
import { type Rule, when } from '../fields/rule.ts';
import { limits } from '../reference/limits.ts';
import { messageTooLong } from '../text/text-length.ts';

/** Ours: no carrier takes a longer text, whatever a user's limit says. */
export const longestText = 1600;

/** Most characters that a user's texts may have. */
export function characterLimit(TextMessageCharacterLimit: number): number {
  return Math.min(TextMessageCharacterLimit, longestText);
}

/** Ours: as many as Twilio takes in one message. */
export const picturesInText = 10;

/** The messages about writing to one person or a few, for the call, the form, the page and the server. */
export const composeMessages = {
  noRecipient: 'Please add a phone number',
  duplicate: "You've already added this number.",
  noTextNumber: 'Select a Text Phone Number',
  noText: 'Enter a Text Message.',
  /** Ours: the specification blocks sending but gives no message. */
  tooManyRecipients: `You can text at most ${limits.conversationRecipients} people at a time.`,
  /** Ours. */
  tooManyPictures: `A text can carry at most ${picturesInText} pictures.`,
} as const;

export interface ComposedText {
  /** The user's character limit. */
  maxLength: number;
  /** The signature, when it is on. */
  signature?: string | undefined;
  hasMedia: boolean;
  /** Scheduled without text: the text is written later. */
  mayBeWithoutText?: boolean | undefined;
}

/** The rules for the text of a message to one person or a few. */
export function composedText({ maxLength, signature, hasMedia, mayBeWithoutText }: ComposedText): Rule[] {
  return [
    ...when(!hasMedia && !mayBeWithoutText, required('Text Message', composeMessages.noText)),
    nonWhitespace('Text Message', composeMessages.noText),
    maxTextLength(maxLength, messageTooLong(maxLength), signature),
  ];
}
