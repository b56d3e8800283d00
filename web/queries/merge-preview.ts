import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { previewMerge } from '../../contract/addresses/conversations.gen.ts';
import type { Recipient } from '../../contract/compose.ts';
import { callApi } from '../api.ts';

/** The pause in typing before the server is asked for previews. */
const PREVIEW_DELAY_MS = 300;

interface PreviewBody {
  Contacts: Recipient[];
  TemplateText: string;
  HasMedia: boolean;
  IncludeSignature: boolean;
  KeepCharacters: boolean;
}

export function mergePreviewQuery(body: PreviewBody) {
  return queryOptions({
    queryKey: [previewMerge.path, body],
    queryFn: async ({ signal }) => {
      const found = await callApi(previewMerge, { body }, { signal, missing: 'refuse' });
      // An empty text isn't an error yet.
      return hasContent(body)
        ? found
        : found.map((one) =>
            textFaults.includes(one.TemplateMergeMessageStatus) ? { ...one, Error: '' } : one,
          );
    },
    retry: false,
  });
}

function hasContent({ TemplateText, HasMedia }: PreviewBody): boolean {
  return TemplateText !== '' || HasMedia;
}

/** Errors in the text itself, not for a recipient. */
const textFaults: readonly string[] = ['InvalidField', 'ExceedsLimit'];

/**
 * Each recipient's merged text, or the reason they can't get one. While the user types, the previous result. With
 * `isAskedEarly`, recipients who can't be texted are known before there is a text.
 */
export function useMergePreview(body: PreviewBody, { isAskedEarly = false } = {}) {
  const isAskedFor = (asked: PreviewBody) => asked.Contacts.length > 0 && (isAskedEarly || hasContent(asked));
  const asText = JSON.stringify(body);
  const [later, setLater] = useState(asText);
  useEffect(() => {
    const timer = setTimeout(() => setLater(asText), PREVIEW_DELAY_MS);
    return () => clearTimeout(timer);
  }, [asText]);
  const asked = JSON.parse(later) as PreviewBody;
  const query = useQuery({
    ...mergePreviewQuery(asked),
    enabled: isAskedFor(asked),
    placeholderData: keepPreviousData,
  });
  return isAskedFor(body) ? (query.data ?? []) : [];
}
