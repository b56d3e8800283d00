import { genericShortenerWarning, hasShortUrl } from '../../../contract/text/short-urls.ts';
import { singleWordWarning } from '../../../contract/text/single-word-warning.ts';
import { Notice } from '../../ui/notice.tsx';
import { plainChange } from '../../ui/plain-change.ts';

/**
 * What could get a text to somebody blocked by carriers: a lone word, shortened links. And which characters go out plain,
 * where that saves something.
 */
export function TextWarnings({ text }: { text: string }) {
  const word = singleWordWarning(text);
  const change = plainChange(text);
  return (
    <>
      {change !== undefined && change.saved !== '' && (
        <Notice kind="info">
          Sent in plain characters ({change.changes}): {change.saved}.
        </Notice>
      )}
      {word !== undefined && <Notice kind="warning">{word}</Notice>}
      {hasShortUrl(text) && <Notice kind="warning">{genericShortenerWarning}</Notice>}
    </>
  );
}
