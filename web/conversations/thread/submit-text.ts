import { type RefObject, useState } from 'react';
import type { Conversation } from '../../../contract/conversations.ts';
import { fieldMessages, shownMessage } from '../../api.ts';
import { asSent, characterLimit, textProblem } from '../../pieces/texts/text-rules.ts';
import { useAccount, useTimeZone } from '../../queries/current-user.ts';
import { type Draft, emptyDraft, useDraftStore } from '../../queries/drafts.ts';
import { useScheduleText } from '../../queries/schedule-text.ts';
import { instantOfField } from '../../ui/field-time.ts';
import { recipientOf, useMergedText } from './merged-text.ts';
import type { Writing } from './writing.ts';

interface SubmitParts {
  conversation: Conversation;
  writing: Writing;
  /** "Send anyway", next to a coworker's reply. */
  anywayRef: RefObject<HTMLButtonElement | null>;
  onSent: () => void;
  /** The text was sent, and the conversation should be marked done. */
  onSentDone: () => void;
}

interface How {
  /** Sends even if someone has replied meanwhile. */
  anyway?: boolean;
  /** Marks the conversation done once the server has the text, because the text itself reopens it. */
  done?: boolean;
}

/** Sends or schedules a text, with its fields filled in. */
export function useSubmitText({ conversation, writing, anywayRef, onSent, onSentDone }: SubmitParts) {
  const zone = useTimeZone();
  const limit = characterLimit(useAccount());
  const drafts = useDraftStore();
  const merged = useMergedText(conversation, writing.draft);
  const later = useScheduleText();
  const [isMerging, setMerging] = useState(false);
  const { draft, startAt, signature } = writing;
  const [failed, setFailed] = useState<{ text: string; startAt: string | undefined; message: string }>();
  const fail = (text: string, message: string) => setFailed({ text, startAt, message });

  const mergeText = (text: string) => {
    setMerging(true);
    return merged.merge(text).finally(() => setMerging(false));
  };

  const sendNow = async (written: Draft, how: How): Promise<void> => {
    const text = merged.isNeeded ? await mergeText(written.text) : written.text;
    // The user kept typing, so nothing unfinished is sent.
    if (drafts.get(conversation.ConversationID).text !== draft.text) return;
    const suffix = signature?.isOn ? signature.text : undefined;
    const going = asSent(text, written.keepsCharacters);
    const draftSize = { pictures: written.pictures.length, limit, signature: suffix, isScheduled: false };
    const problem = textProblem(going, draftSize);
    if (problem !== undefined) return fail(draft.text, problem);
    const sending = writing.send({ ...written, text }, how);
    onSent();
    if (how.done && (await sending)) onSentDone();
  };

  const sendLater = async (written: Draft, start: string, how: How): Promise<void> => {
    const at = instantOfField(start, zone);
    if (at === undefined) return fail(draft.text, 'Enter a Start Time');
    await later.schedule({
      Contacts: [recipientOf(conversation)],
      TextNumberID: conversation.TextNumberID,
      TextMessage: written.text,
      Media: written.pictures.map(({ mediaId }) => ({ MediaID: mediaId })),
      IncludeSignature: signature?.isOn ?? false,
      KeepCharacters: written.keepsCharacters ?? false,
      StartDate: new Date(at).toISOString(),
    });
    writing.change(() => emptyDraft);
    writing.setStartAt(undefined);
    onSent();
    if (how.done) onSentDone();
  };

  const submit = async (how: How = {}): Promise<void> => {
    if (isMerging || later.isPending) return;
    // Enter comes quickly, so the coworker's reply must show before a second one sends.
    if (writing.answer && !how.anyway) return anywayRef.current?.focus();
    const written = { ...draft, text: draft.text.trim() };
    try {
      await (startAt === undefined ? sendNow(written, how) : sendLater(written, startAt, how));
    } catch (error) {
      const [first] = Object.values(fieldMessages(error));
      fail(draft.text, first ?? shownMessage(error, 'There was an error sending your message.'));
    }
  };

  return {
    submit,
    merged,
    isBusy: isMerging || later.isPending,
    // Until the text changes.
    error: failed?.text === draft.text && failed.startAt === startAt ? failed.message : undefined,
  };
}
