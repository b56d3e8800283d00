import { useQueryClient } from '@tanstack/react-query';
import type { Recipient } from '../../../contract/compose.ts';
import type { Conversation } from '../../../contract/conversations.ts';
import { hasPersonalizedFields, personalizedFieldError } from '../../../contract/text/personalized-fields.ts';
import type { Draft } from '../../queries/drafts.ts';
import { mergePreviewQuery, useMergePreview } from '../../queries/merge-preview.ts';

export interface MergedText {
  /** The text has fields. */
  isNeeded: boolean;
  /** The merged text; undefined without fields, and until the server replies. */
  shown: string | undefined;
  /** A sentence about missing data; empty if nothing is missing. */
  remark: string;
  /** The same for a text about to be sent. Never returns the result for an earlier draft. */
  merge: (text: string) => Promise<string>;
}

/** The contact of a conversation, as a recipient. */
export function recipientOf({ PersonID, FirstName, LastName, PhoneNumber }: Conversation): Recipient {
  return PersonID === null
    ? { PrimaryPhone: PhoneNumber, FirstName, LastName }
    : { PersonID, PrimaryPhone: PhoneNumber };
}

function isMergeable(text: string): boolean {
  return hasPersonalizedFields(text) && personalizedFieldError(text) === undefined;
}

/** Conversation texts are stored as sent, so fields are filled in before sending. */
export function useMergedText(conversation: Conversation, draft: Draft): MergedText {
  const client = useQueryClient();
  const bodyOf = (text: string) => ({
    Contacts: [recipientOf(conversation)],
    TemplateText: isMergeable(text) ? text.trim() : '',
    HasMedia: isMergeable(text) && draft.pictures.length > 0,
    // The server appends it on sending.
    IncludeSignature: false,
    KeepCharacters: draft.keepsCharacters ?? false,
  });
  const [preview] = useMergePreview(bodyOf(draft.text));
  return {
    isNeeded: isMergeable(draft.text),
    shown: preview?.TextMessage,
    remark: preview?.TemplateMergeMessageStatus === 'MissingData' ? preview.Error : '',
    merge: async (text) => {
      // Sends exactly what the preview showed.
      const [merged] = await client.fetchQuery({ ...mergePreviewQuery(bodyOf(text)), staleTime: Infinity });
      return merged?.TextMessage ?? text;
    },
  };
}
