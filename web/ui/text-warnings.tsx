import { genericShortenerWarning, hasShortUrl } from '../../contract/text/short-urls.ts';
import { singleWordWarning } from '../../contract/text/single-word-warning.ts';
import { Notice } from './notice.tsx';

/** What could get a text to somebody blocked by carriers: a lone word, shortened links. */
export function TextWarnings({ text }: { text: string }) {
  const word = singleWordWarning(text);
  return (
    <>
      {word !== undefined && <Notice kind="warning">{word}</Notice>}
      {hasShortUrl(text) && <Notice kind="warning">{genericShortenerWarning}</Notice>}
    </>
  );
}
