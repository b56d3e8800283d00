import { useQueryClient } from '@tanstack/react-query';
import type { Recipient } from '../../../contract/compose.ts';
import type { Conversation } from '../../../contract/conversations.ts';
import { hasPersonalisedFields, personalisedFieldError } from '../../../contract/text/personalised-fields.ts';
import type { Draft } from '../../queries/drafts.ts';
import { mergePreviewQuery, useMergePreview } from '../../queries/merge-preview.ts';

export interface MergedText {
  /** It has fields. */
  isNeeded: boolean;
  /** What they get; undefined for a text without fields, and until the server has said it. */
  shown: string | undefined;
  /** What isn't known of them, in a sentence; empty when all is. */
  remark: string;
  /** The same of a text that is to go out now: never of one that was typed before it. */
  merge: (text: string) => Promise<string>;
}

/** The other side of a conversation, as somebody to write to. */
export function recipientOf({ PersonID, FirstName, LastName, PhoneNumber }: Conversation): Recipient {
  return PersonID === null
    ? { PrimaryPhone: PhoneNumber, FirstName, LastName }
    : { PersonID, PrimaryPhone: PhoneNumber };
}

function isMergeable(text: string): boolean {
  return hasPersonalisedFields(text) && personalisedFieldError(text) === undefined;
}

/** A text of a conversation is stored as it goes out, so its fields are filled in before it is sent. */
export function useMergedText(conversation: Conversation, draft: Draft): MergedText {
  const client = useQueryClient();
  const bodyOf = (text: string) => ({
    Contacts: [recipientOf(conversation)],
    TemplateText: isMergeable(text) ? text.trim() : '',
    HasMedia: isMergeable(text) && draft.pictures.length > 0,
    // The server puts it under the text when it is sent.
    IncludeSignature: false,
  });
  const [preview] = useMergePreview(bodyOf(draft.text));
  return {
    isNeeded: isMergeable(draft.text),
    shown: preview?.TextMessage,
    remark: preview?.TemplateMergeMessageStatus === 'MissingData' ? preview.Error : '',
    merge: async (text) => {
      // What was shown is what is sent.
      const [merged] = await client.fetchQuery({ ...mergePreviewQuery(bodyOf(text)), staleTime: Infinity });
      return merged?.TextMessage ?? text;
    },
  };
}
