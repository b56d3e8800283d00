import Box from '@mui/material/Box';
import type { Theme } from '@mui/material/styles';
import { useLayoutEffect, useRef } from 'react';
import { type IssuePiece, issuePieces } from './issue-pieces.ts';

/** An issue with a personalized field: "The issues have been highlighted in red." */
export const issueMark = {
  borderRadius: '4px',
  textDecorationLine: 'underline',
  textDecorationStyle: 'wavy',
  textDecorationColor: (theme: Theme) => theme.vars.palette.error.main,
} as const;

/** Everything that decides where a letter of the box is drawn. */
const lettering = [
  ...(['fontFamily', 'fontSize', 'fontWeight', 'fontStyle', 'fontVariantLigatures'] as const),
  ...(['letterSpacing', 'wordSpacing', 'lineHeight', 'textAlign', 'textIndent', 'tabSize'] as const),
  ...(['paddingTop', 'paddingRight', 'paddingBottom', 'paddingLeft'] as const),
];

/**
 * Marks the issues with the personalized fields of a text box: the `endAdornment` of a multiline input. The box stays an
 * ordinary one; the marks are a drawing of its text over it, with invisible letters, that scrolls with it.
 */
export function FieldMarks({ text }: { text: string }) {
  const pieces = issuePieces(text);
  return pieces.length === 0 ? null : <Marks pieces={pieces} />;
}

function Marks({ pieces }: { pieces: readonly IssuePiece[] }) {
  const layer = useRef<HTMLDivElement>(null);
  const drawing = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // MUI measures the text with a second, hidden textarea.
    const box = layer.current?.parentElement?.querySelector<HTMLTextAreaElement>(
      'textarea:not([aria-hidden])',
    );
    if (!box) return;
    const follow = () => {
      if (drawing.current) drawing.current.style.transform = `translateY(${-box.scrollTop}px)`;
    };
    const place = () => {
      if (!layer.current || !drawing.current) return;
      const style = getComputedStyle(box);
      for (const name of lettering) drawing.current.style[name] = style[name];
      // Without a scroll bar, which takes width from the text.
      const { offsetLeft, offsetTop, clientLeft, clientTop, clientWidth, clientHeight } = box;
      Object.assign(layer.current.style, {
        left: `${offsetLeft + clientLeft}px`,
        top: `${offsetTop + clientTop}px`,
        width: `${clientWidth}px`,
        height: `${clientHeight}px`,
      });
      follow();
    };
    place();
    const sizes = new ResizeObserver(place);
    sizes.observe(box);
    box.addEventListener('scroll', follow);
    return () => {
      sizes.disconnect();
      box.removeEventListener('scroll', follow);
    };
  }, []);
  return (
    <Box
      ref={layer}
      aria-hidden
      sx={{ position: 'absolute', overflow: 'hidden', pointerEvents: 'none', color: 'transparent' }}
    >
      <Box
        ref={drawing}
        sx={{
          boxSizing: 'border-box',
          whiteSpace: 'pre-wrap',
          overflowWrap: 'break-word',
          forcedColorAdjust: 'none',
        }}
      >
        {pieces.map((piece) =>
          piece.isIssue ? (
            <Box
              key={piece.at}
              component="mark"
              sx={{
                ...issueMark,
                // Within the line, or the last one’s would be cut off.
                textUnderlineOffset: '2px',
                color: 'transparent',
                // Translucent, because the letters are below.
                bgcolor: (theme) => `color-mix(in srgb, ${theme.vars.palette.error.main} 18%, transparent)`,
              }}
            >
              {piece.text}
            </Box>
          ) : (
            piece.text
          ),
        )}
      </Box>
    </Box>
  );
}
