import type { Account } from '../../../../contract/accounts.ts';
import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import { fieldErrors } from '../../../../contract/fields/form.ts';
import { firstFailure } from '../../../../contract/fields/rule.ts';
import { broadcastMessagesForm, broadcastText } from '../../../../contract/forms/broadcast.ts';
import { secondTextProblem } from '../../../../contract/forms/second-text.ts';
import { placesCalls, sendsTexts } from '../../../../contract/money/units.ts';
import type { TextNumber } from '../../../../contract/numbers.ts';
import { textToSend } from '../../../../contract/text/normalize-text.ts';
import { organizationPrefix } from '../../../../contract/text/organization-prefix.ts';
import { hasPersonalizedFields } from '../../../../contract/text/personalized-fields.ts';
import { countSegments, type SegmentCount } from '../../../../contract/text/segments.ts';
import { linkBase, shortenLinks } from '../../../../contract/text/short-links.ts';
import { characterLimit, weighText } from '../../../pieces/texts/text-rules.ts';
import { useAccount } from '../../../queries/current-user.ts';
import { useTextNumbers } from '../text-numbers.ts';

type Written = Pick<
  DraftBroadcast,
  | 'BroadcastType'
  | 'startOption'
  | 'TextMessage'
  | 'KeepCharacters'
  | 'ShortenLinks'
  | 'LinkBase'
  | 'Media'
  | 'SecondText'
  | 'TextNumberCount'
  | 'IsAdding'
  | 'IncludeSignature'
  | 'IsTextSurvey'
  | 'TextSurveyAutoReplies'
>;

export interface MessageProblems {
  text: string | undefined;
  yes: string | undefined;
  no: string | undefined;
  /** Of the second of two texts. */
  second: string | undefined;
}

/** The problems of the message, by the same rules as Send. If there are none, it may go out. */
export function messageProblems(draft: Written, account: Account | undefined): MessageProblems {
  const form = broadcastMessagesForm({
    type: draft.BroadcastType,
    isRepeating: draft.startOption === 'REPEATING',
    isTransfer: false,
    maxLength: characterLimit(account),
    // With fields the length differs for each recipient: the merge checks it.
    isMerged: isMerged(draft),
    ...signatureOf(account),
  });
  // An empty reply sends nothing, which is fine.
  const replies = draft.IsTextSurvey
    ? draft.TextSurveyAutoReplies.filter(({ Message }) => Message !== '')
    : [];
  const errors = fieldErrors(form, {
    TextMessage: textOf(draft, account),
    Media: draft.Media.map(({ mediaId }) => ({ MediaID: mediaId })),
    IncludeSignature: draft.IncludeSignature,
    TextSurveyAutoReplies: replies,
  });
  const replyError = (label: 'Yes' | 'No') =>
    errors[`TextSurveyAutoReplies.${replies.findIndex(({ Label }) => Label === label)}.Message`];
  return {
    text: errors.TextMessage,
    yes: replyError('Yes'),
    no: replyError('No'),
    second: secondProblem(draft, account),
  };
}

/** With fields in either of two texts, all are merged. */
export function isMerged({ TextMessage, SecondText }: Pick<Written, 'TextMessage' | 'SecondText'>): boolean {
  return hasPersonalizedFields(TextMessage) || hasPersonalizedFields(SecondText?.TextMessage ?? '');
}

/** The second of two texts, by the rules of the first and those for the two together. */
function secondProblem(draft: Written, account: Account | undefined): string | undefined {
  const { SecondText: second } = draft;
  if (second === null || !sendsTexts(draft.BroadcastType)) return undefined;
  const isLinked = (text: string) =>
    shortenLinks(text, draft.LinkBase || linkBase(location.origin)).links.length > 0;
  const { signature } = signatureOf(account);
  const rules = broadcastText({
    hasMedia: false,
    ...(isMerged(draft) ? {} : { maxLength: characterLimit(account) }),
    ...(draft.IncludeSignature && signature !== undefined ? { signature } : {}),
  });
  return (
    firstFailure(textOf({ ...draft, TextMessage: second.TextMessage }, account), rules) ??
    secondTextProblem({
      first: draft.TextMessage,
      second: second.TextMessage,
      share: second.Share,
      decideBy: second.DecideBy,
      hasLinks: draft.ShortenLinks && isLinked(draft.TextMessage) && isLinked(second.TextMessage),
      // While they are still being added, nobody knows how many there will be.
      people: draft.IsAdding ? Number.POSITIVE_INFINITY : draft.TextNumberCount,
      isRepeating: draft.startOption === 'REPEATING',
      placesCalls: placesCalls(draft.BroadcastType),
    })
  );
}

type TextParts = Pick<DraftBroadcast, 'TextMessage' | 'KeepCharacters' | 'ShortenLinks' | 'LinkBase'>;

/** The text as it goes out; its cost and length are calculated from this. */
function textOf(
  { TextMessage, KeepCharacters, ShortenLinks, LinkBase }: TextParts,
  account: Account | undefined,
): string {
  const text = ShortenLinks
    ? shortenLinks(TextMessage, LinkBase || linkBase(location.origin)).text
    : TextMessage;
  return textToSend(prefixOf(account, TextMessage) + text, { keepCharacters: KeepCharacters });
}

function prefixOf(account: Account | undefined, text: string): string {
  return account === undefined ? '' : organizationPrefix(account, text);
}

function signatureOf(account: Account | undefined): { signature?: string } {
  const signature = account?.CurrentUser?.Signature.SignatureText.trim();
  return signature ? { signature } : {};
}

export interface MessageFacts {
  limit: number;
  /** The organization's name before the text, or nothing. */
  prefix: string;
  /** The signature below the text; undefined when it is off or there is none. */
  signature: string | undefined;
  /** The user's signature, whether it is on or off. */
  ownSignature: string | undefined;
  number: TextNumber | undefined;
  /** As it goes out. */
  text: string;
  counted: SegmentCount;
  /**
   * The credits of one text. For a personalized text, fields count by their full length until it is merged.
   */
  segments: number;
  credits: number;
  isPersonalized: boolean;
  isEmpty: boolean;
}

type Weighed = TextParts &
  Pick<DraftBroadcast, 'TextNumberID' | 'IncludeSignature'> & { Media: readonly unknown[] };

/** Figures about the current text, calculated in the browser so that they update with every keystroke. */
export function useMessageFacts(draft: Weighed): MessageFacts {
  const account = useAccount();
  const number = useTextNumbers().all.find(({ TextNumberID }) => TextNumberID === draft.TextNumberID);
  const ownSignature = signatureOf(account).signature;
  const signature = draft.IncludeSignature ? ownSignature : undefined;
  const pictures = draft.Media.length;
  const prefix = prefixOf(account, draft.TextMessage);
  const text = textOf(draft, account);
  return {
    limit: characterLimit(account),
    prefix,
    signature,
    ownSignature,
    number,
    text,
    counted: countSegments(text, { suffix: signature }),
    // Not by the number: unlimited conversations have no broadcasts in them.
    ...weighText(text, { account, number: undefined, pictures, signature }),
    isPersonalized: hasPersonalizedFields(draft.TextMessage),
    isEmpty: draft.TextMessage.trim() === '' && pictures === 0,
  };
}
