import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lookUpShortUrls } from '../../../../contract/addresses/broadcasts.gen.ts';
import { errorCatalog } from '../../../../contract/reference/error-catalog.ts';
import { genericShortenerWarning, hasShortUrl } from '../../../../contract/text/short-urls.ts';
import { singleWordWarning } from '../../../../contract/text/single-word-warning.ts';
import { callApi } from '../../../api.ts';
import { UsualLength } from '../../../pieces/texts/usual-length.tsx';
import { locale } from '../../../ui/locale.ts';
import { Notice } from '../../../ui/notice.tsx';
import { useDebounced } from '../../../ui/use-debounced.ts';
import { unknownFields } from './message-pieces.ts';

interface MessageWarningsProps {
  text: string;
  customFields: readonly string[];
}

/**
 * Things that could get the text blocked or leave a gap in it: a lone word, shortened links, fields that
 * nobody has.
 */
export function MessageWarnings({ text, customFields }: MessageWarningsProps) {
  const word = singleWordWarning(text);
  const unknown = unknownFields(text, customFields);
  return (
    <>
      {unknown.length > 0 && (
        <Notice isBand kind="warning">
          No contact has a field called {new Intl.ListFormat(locale).format(unknown)}. Fix the name, or add a
          default, such as {`{{${unknown[0] ?? 'Field'}|friend}}`}.
        </Notice>
      )}
      <UsualLength isBand text={text} />
      {word !== undefined && (
        <Notice isBand kind="warning">
          {word}
        </Notice>
      )}
      {hasShortUrl(text) && <ShortUrls text={text} />}
    </>
  );
}

/** The server knows which of them carriers refuse outright. */
function ShortUrls({ text }: { text: string }) {
  const asked = useDebounced(text);
  const { data, isError } = useQuery({
    queryKey: [lookUpShortUrls.path, asked],
    queryFn: ({ signal }) =>
      callApi(lookUpShortUrls, { body: { Text: asked } }, { signal, missing: 'refuse' }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const blocked = data?.BlackListedUrls ?? [];
  return (
    <Notice
      isBand
      kind={blocked.length > 0 ? 'error' : 'warning'}
      title={
        blocked.length > 0
          ? `Carriers block ${blocked.length === 1 ? 'this link' : 'these links'}`
          : 'Shortened links'
      }
    >
      <Typography variant="body2" component="div">
        {genericShortenerWarning}
      </Typography>
      {isError && (
        <Typography variant="body2" component="div">
          {errorCatalog.shortUrls}
        </Typography>
      )}
      <Box component="ul" aria-label="Shortened links" sx={{ listStyle: 'none', m: 0, mt: 0.5, p: 0 }}>
        {data?.UrlsFound.map((url) => (
          <Typography key={url} component="li" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
            <strong>{url}</strong>
            {blocked.includes(url) && ': carriers block this'}
          </Typography>
        ))}
      </Box>
    </Notice>
  );
}
