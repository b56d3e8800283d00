import { type RefObject, useState } from 'react';
import type { Conversation } from '../../../contract/conversations.ts';
import { fieldMessages, shownMessage } from '../../api.ts';
import { characterLimit, textProblem } from '../../pieces/texts/text-rules.ts';
import { useAccount, useTimeZone } from '../../queries/current-user.ts';
import { type Draft, emptyDraft, useDraftStore } from '../../queries/drafts.ts';
import { useScheduleText } from '../../queries/schedule-text.ts';
import { instantOfField } from '../../ui/field-time.ts';
import { recipientOf, useMergedText } from './merged-text.ts';
import type { Writing } from './writing.ts';

interface SubmitParts {
  conversation: Conversation;
  writing: Writing;
  /** "Send anyway", beside a colleague's answer. */
  anywayRef: RefObject<HTMLButtonElement | null>;
  onSent: () => void;
  /** It was sent, and the conversation is to be marked done. */
  onSentDone: () => void;
}

interface How {
  /** Whoever has answered meanwhile. */
  anyway?: boolean;
  /** Marks the conversation done once the server has the text: the text itself would open it again. */
  done?: boolean;
}

/** What Enter does with a text: it goes out with its fields filled in, or is kept for its time. */
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
    // They have gone on writing meanwhile: nothing is sent that they haven't finished.
    if (drafts.get(conversation.ConversationID).text !== draft.text) return;
    const suffix = signature?.isOn ? signature.text : undefined;
    const problem = textProblem(text, written.pictures.length, limit, suffix);
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
      StartDate: new Date(at).toISOString(),
    });
    writing.change(() => emptyDraft);
    writing.setStartAt(undefined);
    onSent();
    if (how.done) onSentDone();
  };

  const submit = async (how: How = {}): Promise<void> => {
    if (isMerging || later.isPending) return;
    // Enter comes quickly: the answer is to be seen before a second one goes out.
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
    // Until something is changed about it.
    error: failed?.text === draft.text && failed.startAt === startAt ? failed.message : undefined,
  };
}
