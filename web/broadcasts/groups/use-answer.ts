import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import {
  answerReplies,
  getBroadcastsSummary,
  listBroadcasts,
  previewAnswer,
} from '../../../contract/addresses/broadcasts.gen.ts';
import { firstFailure } from '../../../contract/fields/rule.ts';
import { dialogText } from '../../../contract/forms/conversation-compose.ts';
import type { MediaItem } from '../../../contract/media.ts';
import type { AnswerPreview, ReplyGroup } from '../../../contract/reply-groups.ts';
import { hasPersonalizedFields } from '../../../contract/text/personalized-fields.ts';
import { ApiError, callApi, fieldMessages, newIdempotencyKey, shownMessage } from '../../api.ts';
import type { QuickText } from '../../pieces/broadcasts/quick-text-box.tsx';
import { characterLimit } from '../../pieces/texts/text-rules.ts';
import { useCall } from '../../queries/calls.ts';
import { useAccount, useUser } from '../../queries/current-user.ts';
import { countOf } from '../../ui/format.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { useGroupAgain } from './group-queries.ts';

const PREVIEW_DELAY_MS = 300;

/** The text to a group, the server's preview of it, and sending it. */
export function useAnswer(broadcastId: number, { GroupKey, TextReplyIDs }: ReplyGroup) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const groupAgain = useGroupAgain();
  const limit = characterLimit(useAccount());
  const signature = useUser()?.Signature;
  const [text, setText] = useState('');
  const [picture, setPicture] = useState<MediaItem>();
  const [isSigned, setSigned] = useState<boolean>();
  const [isMarkingDone, setMarkingDone] = useState(false);
  const [errors, setErrors] = useState<{ text?: string | undefined; form?: string | undefined }>({});
  const hasSignature = (signature?.SignatureText.trim() ?? '') !== '';
  const includesSignature = hasSignature && (isSigned ?? signature?.IsEnabled ?? false);
  const signatureText = includesSignature ? signature?.SignatureText : undefined;
  const params = { BroadcastID: broadcastId };
  const body = {
    TextReplyIDs,
    TextMessage: text.trim(),
    Media: picture ? [{ MediaID: picture.mediaId }] : [],
    IncludeSignature: includesSignature,
  };
  const preview = usePreview({ params, body }, TextReplyIDs.length > 0);
  // With fields, the length differs for each person, and the server has checked it.
  const maxLength = hasPersonalizedFields(text) ? Number.POSITIVE_INFINITY : limit;
  const textProblem = firstFailure(
    text.trim(),
    dialogText({ maxLength, ...(signatureText ? { signature: signatureText } : {}) }),
  );

  const { mutateAsync, isPending: isSending } = useCall(answerReplies);
  // The same key is used until the result is known: pressing again after a lost reply sends nothing twice.
  const key = useRef(newIdempotencyKey());
  const send = async (): Promise<void> => {
    setErrors({ text: textProblem });
    if (textProblem !== undefined || isSending || !preview.data) return;
    const { Good, Cost } = preview.data;
    try {
      const sent = await mutateAsync({
        params,
        body: {
          ...body,
          GroupKey,
          MarkDone: isMarkingDone,
          ExpectedCount: Good,
          ExpectedCredits: Cost.Credits,
        },
        idempotencyKey: key.current,
      });
      key.current = newIdempotencyKey();
      for (const { path } of [listBroadcasts, getBroadcastsSummary])
        void client.invalidateQueries({ queryKey: [path] });
      showSnackbar({
        message: `Answering ${countOf(sent.Count, 'person', 'people')}.`,
        action: {
          label: 'View',
          onPress: () =>
            void navigate({
              to: '/broadcast-details/$broadcastId',
              params: { broadcastId: sent.AnswerBroadcastID },
              search: {},
            }),
        },
      });
      setText('');
      setPicture(undefined);
      await groupAgain();
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) key.current = newIdempotencyKey();
      const wrong = fieldMessages(error).TextMessage;
      setErrors(
        wrong ? { text: wrong } : { form: shownMessage(error, 'There was an error sending your answer.') },
      );
      void preview.refetch();
    }
  };

  const quick: QuickText = {
    ...{ text, limit, picture, signatureText, errors },
    setText: (next) => {
      setErrors({});
      setText(next);
    },
    insert: (saved, next) => {
      setErrors({});
      setText(next);
      if (!picture) setPicture(saved.Media[0]);
    },
    removePicture: () => setPicture(undefined),
    // Missing input is reported only after Send is pressed; wrong input is reported at once.
    wrongText: text.trim() === '' ? undefined : textProblem,
  };
  return {
    quick,
    problem: errors.form,
    preview: preview.data,
    previewError: preview.error,
    retryPreview: () => void preview.refetch(),
    isFresh: preview.isFresh,
    hasSignature,
    isSigned: includesSignature,
    setSigned,
    isMarkingDone,
    setMarkingDone,
    send,
    isSending,
  };
}
export type Answer = ReturnType<typeof useAnswer>;

/** Debounced: queries when typing pauses, and shows the previous result until then. */
function usePreview(input: { params: { BroadcastID: number }; body: object }, isAsked: boolean) {
  const asText = JSON.stringify(input);
  const later = useDebounced(asText, PREVIEW_DELAY_MS);
  const query = useQuery<AnswerPreview>({
    queryKey: [previewAnswer.path, later],
    queryFn: ({ signal }) => callApi(previewAnswer, JSON.parse(later), { signal, missing: 'refuse' }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });
  return { ...query, isFresh: later === asText && !query.isPlaceholderData && query.data !== undefined };
}
