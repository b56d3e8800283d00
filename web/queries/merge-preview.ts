import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { previewMerge, type Recipient } from '../../contract/compose.ts';
import { callApi } from '../api.ts';

/** Waits for a pause in typing before the server is asked what each of them would get. */
const PREVIEW_DELAY_MS = 300;

interface PreviewBody {
  Contacts: Recipient[];
  TemplateText: string;
  HasMedia: boolean;
  IncludeSignature: boolean;
}

export function mergePreviewQuery(body: PreviewBody) {
  return queryOptions({
    queryKey: [previewMerge.path, body],
    queryFn: async ({ signal }) => {
      const found = await callApi(previewMerge, { body }, { signal, missing: 'refuse' });
      // That there is no text yet is nobody's fault.
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

/** What is wrong with the text, not with who gets it. */
const textFaults: readonly string[] = ['InvalidField', 'ExceedsLimit'];

/**
 * What each of them would get, and why one would get nothing. While one types, what was asked for before. With
 * `isAskedEarly` those who can't be texted are known before there is a text.
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
