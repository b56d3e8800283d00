import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, useSyncExternalStore } from 'react';
import { createConversation } from '../../contract/conversations.ts';
import { composeMessages } from '../../contract/forms/compose-text.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { ApiError, fieldMessages, newIdempotencyKey, shownMessage } from '../api.ts';
import { useCall } from '../queries/calls.ts';
import { useAccount } from '../queries/current-user.ts';
import { type Draft, emptyDraft } from './drafts.ts';
import { freshenConversations } from './inbox-queries.ts';
import { type Recipient, recipientProblem, typedRecipient } from './recipient.ts';
import { useDraftStore } from './stores.ts';
import { characterLimit, textProblem } from './text-rules.ts';

/** Drafts are kept by conversation; the one that doesn't exist yet is none of them. */
const NEW_CONVERSATION = 0;

interface ComposeErrors {
  to?: string | undefined;
  number?: string | undefined;
  text?: string | undefined;
  /** What belongs to no field. */
  form?: string | undefined;
}

/** Which field a refusal belongs to, by the last part of the server's name for it. */
function errorsOf(error: unknown): ComposeErrors {
  const errors: ComposeErrors = {};
  for (const [field, message] of Object.entries(fieldMessages(error))) {
    if (field.endsWith('PrimaryPhone') || field.endsWith('PersonID')) errors.to = message;
    else if (field.endsWith('TextNumberID')) errors.number = message;
    else if (field.endsWith('Message')) errors.text = message;
  }
  if (Object.keys(errors).length > 0) return errors;
  return { form: shownMessage(error, 'There was an error sending your conversation.') };
}

/** The state of a new conversation: what is typed, what is wrong with it, and sending it. */
export function useCompose(options: {
  numbers: readonly TextNumber[];
  textNumberId: number | undefined;
  to: string | undefined;
  onSent: (conversationId: number) => void;
}) {
  const { numbers, textNumberId: given, to, onSent } = options;
  const client = useQueryClient();
  const account = useAccount();
  const drafts = useDraftStore();
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.get(NEW_CONVERSATION));
  const [recipient, setRecipient] = useState<Recipient | null>(null);
  const [typed, setTyped] = useState(formatPhone(to ?? ''));
  const [chosenId, setChosenId] = useState(given);
  const [errors, setErrors] = useState<ComposeErrors>({});
  const create = useCall(createConversation);
  // One key for one text: pressing Send again after a failure must not send it twice.
  const attempt = useRef({ body: '', key: '' });
  const number =
    numbers.find(({ TextNumberID }) => TextNumberID === chosenId) ??
    numbers.find(({ IsDefault }) => IsDefault) ??
    (numbers.length === 1 ? numbers[0] : undefined);

  const send = async () => {
    const countryId = account?.CountryID ?? 1;
    const to = recipient ?? typedRecipient(typed, countryId) ?? null;
    const found: ComposeErrors = {
      to: recipientProblem(to, typed, countryId),
      number: number ? undefined : composeMessages.noTextNumber,
      text: textProblem(draft.text, draft.pictures.length, characterLimit(account)),
    };
    setErrors(found);
    if (!to || !number || found.to || found.text) return;
    const body = {
      TextNumberID: number.TextNumberID,
      LastMessage: {
        Contact: { PrimaryPhone: to.phone, ...(to.PersonID === undefined ? {} : { PersonID: to.PersonID }) },
        Message: draft.text.trim(),
        MmsOutboundMedia: draft.pictures.map(({ mediaId }) => ({ MediaID: mediaId })),
      },
    };
    const asText = JSON.stringify(body);
    if (attempt.current.body !== asText) attempt.current = { body: asText, key: newIdempotencyKey() };
    try {
      const { ConversationID } = await create.mutateAsync({ body, idempotencyKey: attempt.current.key });
      drafts.set(NEW_CONVERSATION, emptyDraft);
      void freshenConversations(client, ConversationID);
      onSent(ConversationID);
    } catch (error) {
      // A refusal had no effect, so the next try is a new one; anything else may have arrived.
      if (error instanceof ApiError && error.status < 500) attempt.current = { body: '', key: '' };
      setErrors(errorsOf(error));
    }
  };

  return {
    draft,
    changeDraft: (change: (before: Draft) => Draft) => {
      setErrors((before) => ({ ...before, text: undefined, form: undefined }));
      drafts.set(NEW_CONVERSATION, change(drafts.get(NEW_CONVERSATION)));
    },
    recipient,
    setRecipient: (next: Recipient | null) => {
      setErrors((before) => ({ ...before, to: undefined, form: undefined }));
      setRecipient(next);
    },
    typed,
    setTyped,
    number,
    setTextNumberId: (id: number) => {
      setErrors((before) => ({ ...before, number: undefined, form: undefined }));
      setChosenId(id);
    },
    errors,
    send,
    isSending: create.isPending,
  };
}
