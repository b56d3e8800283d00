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
    queryFn: ({ signal }) => callApi(previewMerge, { body }, { signal, missing: 'refuse' }),
    retry: false,
  });
}

function isAskedFor({ Contacts, TemplateText, HasMedia }: PreviewBody): boolean {
  return Contacts.length > 0 && (TemplateText !== '' || HasMedia);
}

/** What each of them would get, and why one would get nothing. While one types, what was asked for before. */
export function useMergePreview(body: PreviewBody) {
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
