import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { getContact } from '../../contract/addresses/contacts.gen.ts';
import { composeMessages } from '../../contract/forms/compose-text.ts';
import type { List } from '../../contract/lists.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { formatPhone, typedPhone } from '../../contract/phone/format-phone.ts';
import { limits } from '../../contract/reference/limits.ts';
import { personalizedFieldError } from '../../contract/text/personalized-fields.ts';
import { fieldMessages, isNotFound, shownMessage } from '../api.ts';
import { firstStartTime } from '../pieces/broadcasts/start-time.ts';
import { asSent, characterLimit, textProblem } from '../pieces/texts/text-rules.ts';
import { callQuery } from '../queries/calls.ts';
import { useAccount, useCan, useTimeZone, useUser } from '../queries/current-user.ts';
import { type Draft, emptyDraft, useDraftStore } from '../queries/drafts.ts';
import { useMergePreview } from '../queries/merge-preview.ts';
import {
  asContact,
  type Begun,
  NEW_CONVERSATION,
  type NewConversation,
  type Recipient,
} from '../queries/new-conversation.ts';
import { useScheduleText } from '../queries/schedule-text.ts';
import { instantOfField } from '../ui/field-time.ts';
import { countOf } from '../ui/format.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useBroadcastInstead } from './broadcast-instead.ts';
import { addRecipients, recipientsOf, recipientsProblem, typedRecipient } from './recipient.ts';

interface ComposeErrors {
  to?: string | undefined;
  number?: string | undefined;
  text?: string | undefined;
  start?: string | undefined;
  /** Errors that belong to no field. */
  form?: string | undefined;
}

/** Maps a refusal to a field, by the last part of its path. */
function errorsOf(error: unknown): ComposeErrors {
  const errors: ComposeErrors = {};
  for (const [field, message] of Object.entries(fieldMessages(error))) {
    if (/(PrimaryPhone|PersonID|Contacts|Contact)$/.test(field)) errors.to = message;
    else if (field.endsWith('TextNumberID')) errors.number = message;
    else if (field.endsWith('Message')) errors.text = message;
    else if (field.endsWith('StartDate')) errors.start = message;
  }
  if (Object.keys(errors).length > 0) return errors;
  return { form: shownMessage(error, 'There was an error sending your conversation.') };
}

interface ComposeOptions {
  numbers: readonly TextNumber[];
  textNumberId: number | undefined;
  to: string | undefined;
  /** Contacts to start with in To. */
  people: readonly number[];
  /** A text that wasn't sent yet and is being changed. */
  edited: NewConversation | undefined;
  /** Sends it, or keeps it until there is a connection or somebody decides. */
  onBegin: (written: NewConversation, closed: AbortSignal) => Promise<Begun>;
  onSent: (conversationId: number) => void;
  onClose: () => void;
}

/** The result for each person, when some sends failed. */
export interface Outcome {
  sent: number;
  failed: { label: string; error: string }[];
}

/** The state of a new conversation: recipients, text, time, errors and sending. */
export function useCompose(options: ComposeOptions) {
  const { numbers, textNumberId, to, people, edited, onBegin, onSent, onClose } = options;
  const account = useAccount();
  const zone = useTimeZone();
  const countryId = account?.CountryID ?? 1;
  const user = useUser();
  const signature = user?.Signature;
  const canBroadcast = useCan('createTextBroadcast');
  const drafts = useDraftStore();
  const stored = useSyncExternalStore(drafts.subscribe, () => drafts.get(NEW_CONVERSATION));
  // While it is sent, the outbox holds it. A draft beside it would be sent once more after a crash.
  const [leaving, setLeaving] = useState<Draft>();
  const draft = leaving ?? stored;
  const closed = useClosed();
  const [recipients, setRecipients] = useState<Recipient[]>([...(edited?.recipients ?? [])]);
  const [groups, setGroups] = useState<List[]>([]);
  const [typed, setTyped] = useState(typedPhone(to ?? '', countryId));
  const [chosenId, setChosenId] = useState(edited?.textNumberId ?? textNumberId);
  const [startAt, setStartAt] = useState<string>();
  const [isSigned, setSigned] = useState(edited?.hasSignature);
  const [errors, setErrors] = useState<ComposeErrors>({});
  const [outcome, setOutcome] = useState<Outcome>();
  const later = useScheduleText();
  const broadcast = useBroadcastInstead();
  const able = numbers.filter(({ CanText }) => CanText);
  const number =
    numbers.find(({ TextNumberID }) => TextNumberID === chosenId) ??
    able.find(({ IsDefault }) => IsDefault) ??
    (able.length === 1 ? able[0] : undefined);
  const keepsCharacters = draft.keepsCharacters ?? false;
  const includesSignature = (isSigned ?? signature?.IsEnabled ?? false) && signature?.SignatureText !== '';
  const signatureText = includesSignature ? signature?.SignatureText : undefined;

  const clear = (...fields: (keyof ComposeErrors)[]) =>
    setErrors((before) => ({ ...before, ...Object.fromEntries(fields.map((name) => [name, undefined])) }));

  /** Adds people, and says so when they are already there. */
  const add = (added: readonly Recipient[]) => {
    const { recipients: next, repeated } = addRecipients(recipients, added, countryId);
    setRecipients(next);
    setTyped('');
    clear('form');
    const to = repeated > 0 && repeated === added.length ? composeMessages.duplicate : undefined;
    setErrors((before) => ({ ...before, to }));
  };
  const addGroup = (group: List) => {
    setTyped('');
    clear('to', 'form');
    setGroups((before) => [...before.filter(({ ListID }) => ListID !== group.ListID), group]);
  };

  usePeople(people, (found, hasFailed) => {
    setRecipients((before) => addRecipients(before, found, countryId).recipients);
    if (hasFailed) setErrors({ form: 'There was an error starting your conversation.' });
  });
  const waiting = typedRecipient(typed, countryId);
  const all = waiting ? addRecipients(recipients, [waiting], countryId).recipients : recipients;
  const contacts = all.slice(0, limits.conversationRecipients).map(asContact);
  const preview = useMergePreview(
    {
      Contacts: contacts,
      TemplateText: draft.text.trim(),
      HasMedia: draft.pictures.length > 0,
      IncludeSignature: includesSignature,
      KeepCharacters: keepsCharacters,
    },
    { isAskedEarly: true },
  );

  const count = all.length + groups.reduce((sum, { RosterCount }) => sum + RosterCount, 0);
  const isTooMany = count > limits.conversationRecipients;

  const check = (): boolean => {
    const start = startAt === undefined ? undefined : instantOfField(startAt, zone);
    const found: ComposeErrors = {
      to: isTooMany ? composeMessages.tooManyRecipients : recipientsProblem(recipients, typed, countryId),
      number: number ? undefined : composeMessages.noTextNumber,
      text:
        textProblem(asSent(draft.text, keepsCharacters), {
          pictures: draft.pictures.length,
          limit: characterLimit(account),
          signature: signatureText,
          isScheduled: startAt !== undefined,
        }) ?? personalizedFieldError(draft.text),
      start: startAt !== undefined && start === undefined ? 'Enter a Start Time' : undefined,
    };
    setErrors(found);
    return Object.values(found).every((message) => message === undefined);
  };

  const sendNow = async (textNumberID: number) => {
    setLeaving(draft);
    drafts.set(NEW_CONVERSATION, emptyDraft);
    const begun = await onBegin(
      {
        textNumberId: textNumberID,
        recipients: all,
        text: draft.text.trim(),
        pictures: draft.pictures,
        keepsCharacters,
        hasSignature: includesSignature,
      },
      closed.current.signal,
    );
    if (closed.current.signal.aborted) return;
    if (begun.result === 'refused') {
      drafts.set(NEW_CONVERSATION, draft);
      setLeaving(undefined);
      throw begun.error;
    }
    if (begun.result === 'kept') {
      showSnackbar('Not sent yet. It is below your conversations.');
      onClose();
      return;
    }
    const { reply } = begun;
    const failed = reply.Items.flatMap(({ Error: error }, index) => {
      const one = all[index];
      return error === '' || !one ? [] : [{ label: one.name || formatPhone(one.phone), error }];
    });
    const sent = reply.Items.length - failed.length;
    if (failed.length > 0) setOutcome({ sent, failed });
    else if (reply.Items.length === 1) onSent(reply.ConversationID);
    else {
      showSnackbar(`Sent to ${countOf(sent, 'person', 'people')}.`);
      onClose();
    }
  };

  const sendLater = async (textNumberID: number, at: number) => {
    await later.schedule({
      Contacts: contacts,
      TextNumberID: textNumberID,
      TextMessage: draft.text.trim(),
      Media: draft.pictures.map(({ mediaId }) => ({ MediaID: mediaId })),
      IncludeSignature: includesSignature,
      KeepCharacters: keepsCharacters,
      StartDate: new Date(at).toISOString(),
    });
    drafts.set(NEW_CONVERSATION, emptyDraft);
    onClose();
  };

  const startBroadcast = async () => {
    const usable = numbers.filter((one) => one.CanText && one.CanCreateBroadcast && !one.IsBlocked);
    const from =
      usable.find((one) => one === number) ?? usable.find(({ IsDefault }) => IsDefault) ?? usable[0];
    const failure = await broadcast.start(
      { recipients: all, listIds: groups.map(({ ListID }) => ListID), count },
      {
        TextNumberID: from?.TextNumberID ?? null,
        TextMessage: draft.text.trim(),
        // A broadcast carries one picture.
        Media: draft.pictures.slice(0, 1).map(({ mediaId }) => ({ MediaID: mediaId })),
        IncludeSignature: includesSignature,
        KeepCharacters: keepsCharacters,
      },
    );
    if (failure === undefined) drafts.set(NEW_CONVERSATION, emptyDraft);
    else setErrors({ form: failure });
  };

  const send = async () => {
    if (!check() || !number) return;
    const at = startAt === undefined ? undefined : instantOfField(startAt, zone);
    try {
      await (at === undefined ? sendNow(number.TextNumberID) : sendLater(number.TextNumberID, at));
    } catch (error) {
      setErrors(errorsOf(error));
    }
  };

  return {
    draft,
    changeDraft: (change: (before: Draft) => Draft) => {
      if (leaving) return;
      clear('text', 'form');
      drafts.set(NEW_CONVERSATION, change(drafts.get(NEW_CONVERSATION)));
    },
    recipients,
    /** Includes the typed text, if it is a number. */
    all,
    add,
    /** Groups too large for a conversation. */
    groups,
    addGroup,
    removeGroup: (listId: number) => setGroups((before) => before.filter(({ ListID }) => ListID !== listId)),
    count,
    isTooMany,
    canBroadcast,
    /** True if sending will create a broadcast. */
    isBroadcast: isTooMany && canBroadcast,
    startBroadcast,
    isStartingBroadcast: broadcast.isStarting,
    setRecipients: (next: Recipient[]) => {
      clear('to', 'form');
      setRecipients(next);
    },
    typed,
    setTyped: (text: string) => {
      clear('to', 'form');
      setTyped(text);
    },
    number,
    setTextNumberId: (id: number) => {
      clear('number', 'form');
      setChosenId(id);
    },
    /** The scheduled time, as a date and time field holds it; undefined means now. */
    startAt,
    setStartAt: (text: string) => {
      clear('start');
      setStartAt(text);
    },
    setLater: (isLater: boolean) => {
      clear('start');
      setStartAt(isLater ? firstStartTime(Date.now(), zone) : undefined);
    },
    hasSignature: (signature?.SignatureText.trim() ?? '') !== '',
    signatureText,
    isSigned: includesSignature,
    setSigned,
    preview,
    errors,
    outcome,
    send,
    isSending: leaving !== undefined || later.isPending,
  };
}
export type Compose = ReturnType<typeof useCompose>;

/** Aborts when the window closes. */
function useClosed() {
  const closed = useRef(new AbortController());
  useEffect(() => {
    // Effects run twice in development.
    if (closed.current.signal.aborted) closed.current = new AbortController();
    return () => closed.current.abort();
  }, []);
  return closed;
}

/** Contacts by ID, once all are loaded. Deleted ones are left out. */
function usePeople(
  people: readonly number[],
  onFound: (recipients: Recipient[], hasFailed: boolean) => void,
): void {
  const found = useQueries({
    queries: people.map((PersonID) => ({ ...callQuery(getContact, { params: { PersonID } }), retry: false })),
  });
  const isReady = people.length > 0 && found.every(({ isPending }) => !isPending);
  const wasAdded = useRef(false);
  useEffect(() => {
    if (!isReady || wasAdded.current) return;
    wasAdded.current = true;
    onFound(
      found.flatMap(({ data }) => (data ? recipientsOf([data]).slice(0, 1) : [])),
      found.some(({ error }) => error !== null && !isNotFound(error)),
    );
  });
}
