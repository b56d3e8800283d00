import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import {
  getBroadcastsSummary,
  listBroadcasts,
  previewQuickSend,
  quickSend,
} from '../../../contract/addresses/broadcasts.gen.ts';
import { listTextNumbers } from '../../../contract/addresses/numbers.gen.ts';
import { firstFailure } from '../../../contract/fields/rule.ts';
import { composeMessages } from '../../../contract/forms/compose-text.ts';
import { dialogText } from '../../../contract/forms/conversation-compose.ts';
import type { MediaItem } from '../../../contract/media.ts';
import type { TextNumber } from '../../../contract/numbers.ts';
import type { QuickSendPreview } from '../../../contract/quick-send.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { pageSizes } from '../../../contract/reference/paging.ts';
import type { Template } from '../../../contract/templates.ts';
import { hasPersonalizedFields } from '../../../contract/text/personalized-fields.ts';
import { linkBase, shortenLinks } from '../../../contract/text/short-links.ts';
import { ApiError, callApi, fieldMessages, newIdempotencyKey, shownMessage } from '../../api.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { useAccount, useUser } from '../../queries/current-user.ts';
import { countOf } from '../../ui/format.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import type { ChosenText } from '../templates/saved-texts.tsx';
import { characterLimit } from '../texts/text-rules.ts';

/** A group or segment with all its people, or one person. */
export type QuickTo =
  | { kind: 'group'; id: number; name: string; count: number }
  | { kind: 'person'; id: number; name: string; phone: string };

export interface QuickErrors {
  to?: string | undefined;
  number?: string | undefined;
  text?: string | undefined;
  /** Errors that belong to no field. */
  form?: string | undefined;
}

interface QuickSendOptions {
  /** The initial recipients, where it was opened at a group. */
  to: readonly QuickTo[];
  /** The initial text, where it was opened at a saved text. */
  template: Template | undefined;
  onSent: () => void;
}

const noNumbers: readonly TextNumber[] = [];
const PREVIEW_DELAY_MS = 300;
const linkPattern = /https?:\/\//i;

/** The state of a quick send: recipients, text, the server's preview, and sending it. */
export function useQuickSend({ to: firstTo, template, onSent }: QuickSendOptions) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const limit = characterLimit(useAccount());
  const signature = useUser()?.Signature;
  const [to, setTo] = useState(firstTo);
  const [text, setText] = useState(template?.TemplateText ?? '');
  const [picture, setPicture] = useState<MediaItem | undefined>(template?.Media[0]);
  const [templateId, setTemplateId] = useState(template?.TemplateID ?? null);
  const [chosenId, setChosenId] = useState<number>();
  const [isSigned, setSigned] = useState<boolean>();
  const [isShort, setShort] = useState(false);
  const [errors, setErrors] = useState<QuickErrors>({});
  const numbers = useNumbers();
  const number = numbers.usable.find(({ TextNumberID }) => TextNumberID === chosenId) ?? numbers.usual;
  const includesSignature = (isSigned ?? signature?.IsEnabled ?? false) && signature?.SignatureText !== '';
  const signatureText = includesSignature ? signature?.SignatureText : undefined;

  const body = {
    Lists: to.filter(({ kind }) => kind === 'group').map(({ id }) => ({ ListID: id })),
    People: to.filter(({ kind }) => kind === 'person').map(({ id }) => ({ PersonID: id })),
    TemplateID: templateId,
    TextNumberID: number?.TextNumberID ?? null,
    TextMessage: text.trim(),
    Media: picture ? [{ MediaID: picture.mediaId }] : [],
    IncludeSignature: includesSignature,
    ShortenLinks: isShort && linkPattern.test(text),
  };
  const preview = usePreview(body, to.length > 0 && !numbers.isPending);
  const isTooMany = preview.data !== undefined && preview.data.Total > limits.conversationRecipients;

  // With fields, the length differs for each recipient, and the server has checked it.
  const maxLength = hasPersonalizedFields(text) ? Number.POSITIVE_INFINITY : limit;
  const textProblem = firstFailure(
    body.ShortenLinks ? shortenLinks(body.TextMessage, linkBase(location.origin)).text : body.TextMessage,
    dialogText({ maxLength, ...(signatureText ? { signature: signatureText } : {}) }),
  );

  const clear = (...fields: (keyof QuickErrors)[]) =>
    setErrors((before) => ({ ...before, ...Object.fromEntries(fields.map((name) => [name, undefined])) }));

  const check = (): boolean => {
    const found: QuickErrors = {
      to: to.length === 0 ? 'Please select at least one group or contact.' : undefined,
      number: number ? undefined : composeMessages.noTextNumber,
      text: textProblem,
    };
    setErrors(found);
    return Object.values(found).every((message) => message === undefined);
  };

  const { mutateAsync, isPending: isSending } = useCall(quickSend);
  // The same key is used until the result is known: pressing again after a lost reply sends nothing twice.
  const key = useRef(newIdempotencyKey());
  const send = async (): Promise<void> => {
    if (!check() || isSending || !preview.data || isTooMany) return;
    const { Good, Cost } = preview.data;
    try {
      const sent = await mutateAsync({
        body: { ...body, ExpectedCount: Good, ExpectedCredits: Cost.Credits },
        idempotencyKey: key.current,
      });
      for (const { path } of [listBroadcasts, getBroadcastsSummary])
        void client.invalidateQueries({ queryKey: [path] });
      showSnackbar({
        message: `Sending to ${countOf(sent.Count, 'person', 'people')}.`,
        action: {
          label: 'View',
          onPress: () =>
            void navigate({
              to: '/broadcasts/$broadcastId',
              params: { broadcastId: sent.BroadcastID },
            }),
        },
      });
      onSent();
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status < 500;
      if (isRefused) key.current = newIdempotencyKey();
      setErrors(errorsOf(error));
      void preview.refetch();
    }
  };

  return {
    to,
    setTo: (next: readonly QuickTo[]) => {
      clear('to', 'form');
      setTo(next);
    },
    text,
    setText: (next: string) => {
      clear('text', 'form');
      setText(next);
    },
    /** Inserts a saved text. If the text was empty, this is then sent from the saved text. */
    insert: (saved: ChosenText, next: string) => {
      clear('text', 'form');
      if (text.trim() === '') setTemplateId(saved.TemplateID);
      setText(next);
      if (!picture) setPicture(saved.Media[0]);
    },
    picture,
    removePicture: () => setPicture(undefined),
    numbers,
    number,
    setNumber: (id: number) => {
      clear('number', 'form');
      setChosenId(id);
    },
    hasSignature: (signature?.SignatureText.trim() ?? '') !== '',
    isSigned: includesSignature,
    setSigned,
    signatureText,
    hasLink: linkPattern.test(text),
    isShort,
    setShort,
    limit,
    /** Missing input is reported only after Send is pressed; wrong input is reported at once. */
    wrongText: text.trim() === '' ? undefined : textProblem,
    errors,
    preview: to.length > 0 ? preview.data : undefined,
    previewError: preview.error,
    retryPreview: () => void preview.refetch(),
    /** The server's preview belongs to the current input. */
    isFresh: preview.isFresh,
    isTooMany,
    body,
    send,
    isSending,
  };
}
export type QuickSend = ReturnType<typeof useQuickSend>;

/** Maps a refusal to its field; after a lost reply, says what is known. */
function errorsOf(error: unknown): QuickErrors {
  const fields = fieldMessages(error);
  if (fields.TextMessage) return { text: fields.TextMessage };
  if (fields.TextNumberID) return { number: fields.TextNumberID };
  if (error instanceof ApiError && error.body.ErrorCode === keyReused)
    return { form: 'Your previous text was sent. Check your broadcasts before you send another.' };
  return { form: shownMessage(error, 'There was an error sending your text.') };
}

/** The same key came with another request: the first one had an effect. */
const keyReused = 1011;

function useNumbers() {
  const query = useCallQuery(
    listTextNumbers,
    { query: { pagesize: pageSizes.textNumbersInNotifications } },
    { staleTime: 60_000 },
  );
  const all = query.data?.Items ?? noNumbers;
  const usable = all.filter(
    ({ CanText, CanCreateBroadcast, IsBlocked }) => CanText && CanCreateBroadcast && !IsBlocked,
  );
  const usual = usable.find(({ IsDefault }) => IsDefault) ?? usable[0];
  return {
    usable,
    usual,
    isPending: query.isPending,
    error: query.error,
    reload: () => void query.refetch(),
  };
}

/** Debounced: queries when typing pauses, and shows the previous result until then. */
function usePreview(body: object, isAsked: boolean) {
  const asText = JSON.stringify(body);
  const later = useDebounced(asText, PREVIEW_DELAY_MS);
  const query = useQuery<QuickSendPreview>({
    queryKey: [previewQuickSend.path, later],
    queryFn: ({ signal }) =>
      callApi(previewQuickSend, { body: JSON.parse(later) }, { signal, missing: 'refuse' }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });
  return { ...query, isFresh: later === asText && !query.isPlaceholderData && query.data !== undefined };
}
