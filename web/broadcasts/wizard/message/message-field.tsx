import Box from '@mui/material/Box';
import { type ClipboardEvent, type KeyboardEvent, type Ref, type SyntheticEvent, useId, useRef } from 'react';
import { findPersonalizedFields } from '../../../../contract/text/personalized-fields.ts';
import { issueMark } from '../../../pieces/texts/field-marks.tsx';
import { visuallyHidden } from '../../../ui/visually-hidden.ts';
import { type MessagePiece, messagePieces } from './message-pieces.ts';

interface MessageFieldProps {
  /** The label for screen readers. */
  label?: string;
  value: string;
  customFields: readonly string[];
  error: string | undefined;
  fieldRef: Ref<HTMLTextAreaElement>;
  /** True if it always goes out in plain characters. */
  isSentPlain?: boolean;
  onChange: (text: string) => void;
  onPaste?: (event: ClipboardEvent) => void;
}

/** The same in the field and in the drawing under it, or the marks would be misaligned with their letters. */
const lettering = {
  font: 'inherit',
  fontSize: 15,
  lineHeight: '26px',
  letterSpacing: '-0.008em',
  whiteSpace: 'pre-wrap',
  overflowWrap: 'break-word',
  p: '14px 18px',
} as const;

/**
 * A text with its fields drawn as words and the costly characters marked: a drawing below a textarea with
 * invisible letters. The textarea remains an ordinary one, with undo, spell checking and every input method.
 */
export function MessageField(props: MessageFieldProps) {
  const { label = 'Text Message', value, customFields, error, fieldRef, onChange, onPaste } = props;
  const pieces = messagePieces(value, customFields, props.isSentPlain);
  const errorId = useId();
  const last = useRef(0);
  return (
    <Box>
      <Box sx={{ position: 'relative', minHeight: 150, display: 'grid' }}>
        <Box
          aria-hidden
          sx={{ ...lettering, minWidth: 0, '@media (forced-colors: active)': { visibility: 'hidden' } }}
        >
          {pieces.map((piece) => (
            <Piece key={piece.at} piece={piece} />
          ))}
          {/* Gives a last empty line its height. */}
          {'\u200b'}
        </Box>
        <Box
          component="textarea"
          ref={fieldRef}
          aria-label={label}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : errorId}
          placeholder="Write your text."
          value={value}
          onPaste={onPaste}
          onKeyDown={takeOutField}
          onChange={(event) => onChange(event.target.value)}
          onSelect={(event: SyntheticEvent<HTMLTextAreaElement>) => {
            last.current = leaveField(event.currentTarget, last.current);
          }}
          sx={{
            ...lettering,
            position: 'absolute',
            inset: 0,
            width: '100%',
            height: '100%',
            border: 0,
            outline: 0,
            resize: 'none',
            overflow: 'hidden',
            background: 'none',
            color: 'text.primary',
            WebkitTextFillColor: 'transparent',
            caretColor: (theme) => theme.vars.palette.primary.main,
            '&::selection': { backgroundColor: 'rgba(15, 118, 110, .25)' },
            '&::placeholder': {
              color: 'ink.three',
              opacity: 1,
              WebkitTextFillColor: (theme) => theme.vars.palette.ink.three,
            },
            '@media (forced-colors: active)': { WebkitTextFillColor: 'currentcolor' },
          }}
        />
      </Box>
      {error !== undefined && (
        <Box id={errorId} role="alert" sx={{ px: '18px', pb: 1.5, typography: 'body2', color: 'error.main' }}>
          {error}
        </Box>
      )}
      <span style={visuallyHidden} aria-live="polite">
        {spoken(pieces)}
      </span>
    </Box>
  );
}

/** Names the highlighted issues for screen readers. */
function spoken(pieces: readonly MessagePiece[]): string {
  const issues = pieces.filter(({ kind }) => kind === 'issue').map(({ text }) => text);
  const marked = issues.join(' ');
  return marked === '' ? '' : `Highlighted in red: ${marked}`;
}

/**
 * Keeps the caret out of personalized fields, whose letters aren't drawn: it goes to the side that it was
 * moving to. A selection is left alone. Returns the position of the caret.
 */
function leaveField(field: HTMLTextAreaElement, before: number): number {
  const { selectionStart: caret, selectionEnd } = field;
  if (caret !== selectionEnd) return caret;
  const inside = findPersonalizedFields(field.value).find(({ start, end }) => start < caret && caret < end);
  if (!inside) return caret;
  const isForward = before <= inside.start;
  const next = isForward ? inside.end : inside.start;
  field.setSelectionRange(next, next);
  return next;
}

/**
 * Backspace after a field and Delete before it remove the whole field. Selecting it first keeps the browser's
 * undo.
 */
function takeOutField(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Backspace' && event.key !== 'Delete') return;
  const { selectionStart: caret, selectionEnd, value } = event.currentTarget;
  if (caret !== selectionEnd) return;
  const beside = findPersonalizedFields(value).find(({ start, end }) =>
    event.key === 'Backspace' ? end === caret : start === caret,
  );
  if (beside) event.currentTarget.setSelectionRange(beside.start, beside.end);
}

function Piece({ piece: { kind, text, label } }: { piece: MessagePiece }) {
  switch (kind) {
    case 'plain':
      return text;
    case 'field':
      return (
        <Box
          component="span"
          sx={{
            position: 'relative',
            color: 'transparent',
            borderRadius: '5px',
            bgcolor: 'tint.accent',
            boxShadow: (theme) => `inset 0 0 0 1px ${theme.vars.palette.tint.accentLine}`,
            py: '2px',
          }}
        >
          {text}
          <Box
            component="span"
            sx={{
              position: 'absolute',
              inset: 0,
              px: '4px',
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              whiteSpace: 'nowrap',
              textAlign: 'center',
              lineHeight: '22px',
              fontWeight: 550,
              color: 'tint.accentInk',
            }}
          >
            {label}
          </Box>
        </Box>
      );
    case 'unicode':
      return (
        <Box
          component="span"
          sx={{
            borderRadius: '4px',
            py: '2px',
            bgcolor: 'tint.warning',
            // Drawn outside the letters, so that nothing moves.
            boxShadow: (theme) => `0 0 0 1.5px ${theme.vars.palette.chart.warn}`,
          }}
        >
          {text}
        </Box>
      );
    case 'issue':
      return (
        <Box
          component="span"
          sx={{ ...issueMark, textUnderlineOffset: '4px', color: 'error.main', bgcolor: 'tint.error' }}
        >
          {text}
        </Box>
      );
  }
}
