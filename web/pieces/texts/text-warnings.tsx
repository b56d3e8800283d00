import Link from '@mui/material/Link';
import { genericShortenerWarning, hasShortUrl } from '../../../contract/text/short-urls.ts';
import { singleWordWarning } from '../../../contract/text/single-word-warning.ts';
import { Notice } from '../../ui/notice.tsx';
import { plainChange } from './plain-change.ts';
import { UsualLength } from './usual-length.tsx';

interface TextWarningsProps {
  text: string;
  /** The text goes out as it was typed. */
  keepsCharacters?: boolean | undefined;
  /** Left out where characters can't be kept. */
  onKeep?: (keepsCharacters: boolean) => void;
}

/**
 * Warns that carriers could block the text, for being a single word or for shortened links. Also says which characters
 * go out plain, if that saves something, and that the text is longer than its writer meant.
 */
export function TextWarnings({ text, keepsCharacters = false, onKeep }: TextWarningsProps) {
  const word = singleWordWarning(text);
  const change = plainChange(text);
  return (
    <>
      {change !== undefined && change.saved !== '' && (
        <Notice kind={keepsCharacters ? 'warning' : 'info'}>
          {keepsCharacters
            ? `Sent as written. In plain characters (${change.changes}) it would be ${change.saved}.`
            : `Sent in plain characters (${change.changes}): ${change.saved}.`}
          {onKeep && (
            <>
              {' '}
              <Link component="button" type="button" onClick={() => onKeep(!keepsCharacters)}>
                {keepsCharacters ? 'Use plain characters' : 'Keep as written'}
              </Link>
            </>
          )}
        </Notice>
      )}
      <UsualLength text={text} />
      {word !== undefined && <Notice kind="warning">{word}</Notice>}
      {hasShortUrl(text) && <Notice kind="warning">{genericShortenerWarning}</Notice>}
    </>
  );
}
