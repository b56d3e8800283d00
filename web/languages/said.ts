import { createDictionary } from '../../contract/dictionary.ts';

/** Fields of replies in which the server writes sentences, whatever they are part of. */
const sentences = new Set([
  ...[
    'Verdict',
    'HeldReason',
    'Reason',
    'Explanation',
    'ErrorMessage',
    'Error',
    'PhoneError',
    'PrimaryPhoneError',
  ],
  ...[
    'TextProblem',
    'CallProblem',
    'Problem',
    'What',
    'WhatToDo',
    'PausedBecause',
    'NobodyJoinsBecause',
    'LeftOutBecause',
    'Warning',
  ],
  ...['ScheduleDescription', 'RepeatingScheduleDescription'],
]);
/** Fields that hold sentences in what has another field beside them; elsewhere people write what is in them. */
const sentencesBeside: Readonly<Record<string, readonly string[]>> = {
  Message: ['ErrorCode', 'Field', 'OrderID', 'ChargeID', 'AutoRefillRequestId'],
  Text: ['Kind'],
  Note: ['Kind', 'AudioID', 'Step', 'Position'],
  Label: ['WhatToDo', 'IsSecret'],
  /** Of an integration: how one signs in there. */
  Name: ['Data'],
  Place: ['Browser'],
  Description: ['IntegrationID', 'ChargeID', 'CreditEntryID', 'PartialCredit'],
};

let translate: ((words: string) => string) | undefined;
const loading = import('virtual:muster-catalog').then(({ default: catalog }) => {
  translate = createDictionary(catalog);
});

export function said(words: string): string {
  return translate?.(words) ?? words;
}

/** Replies wait for the dictionary, so whatever a page shows of them can be looked up at once. */
export async function saidReply(reply: unknown): Promise<unknown> {
  await loading;
  return sayIn(reply);
}

function sayIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sayIn);
  if (typeof value !== 'object' || value === null || value instanceof Blob) return value;
  // A note of a conversation that somebody wrote.
  if ('Kind' in value && value.Kind === 'note') return value;
  const entries = Object.entries(value).map(([field, held]) => {
    // A timeline shows a reply as it was written.
    const isReply = field === 'Note' && 'Kind' in value && value.Kind === 'reply';
    const isSentence =
      typeof held === 'string' &&
      !isReply &&
      (sentences.has(field) ||
        sentencesBeside[field]?.some((other) => Object.hasOwn(value, other)) ||
        // Everyone and Unfiled are nobody's groups.
        (field === 'ListName' && 'ListID' in value && Number(value.ListID) <= 0));
    return [field, isSentence ? said(held as string) : sayIn(held)];
  });
  return Object.fromEntries(entries);
}
