import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { say } from '../ui/say.ts';
import { mono } from './schema-tree.tsx';

interface ExampleProps {
  label: string;
  text: string;
  /** Long lines are broken instead of scrolled: all of it has to be seen. */
  isWrapped?: boolean;
}

/** A block of code with a button that takes it along. */
export function Example({ label, text, isWrapped = false }: ExampleProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const does = isCopied ? say('Copied') : `Copy: ${label}`;
  return (
    <Box
      sx={{
        border: '1px solid',
        borderColor: 'line.hair',
        borderRadius: '10px',
        bgcolor: 'surface.sunken',
        overflow: 'hidden',
      }}
    >
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          height: 36,
          pl: 1.75,
          pr: 0.5,
          borderBottom: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        <Box component="span" sx={{ flex: 1, typography: 'caption', fontWeight: 500, color: 'ink.three' }}>
          {label}
        </Box>
        {/* The clipboard exists only on https and localhost. */}
        {globalThis.navigator.clipboard && (
          <Tooltip title={does}>
            <IconButton
              size="small"
              aria-label={does}
              onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
            >
              {isCopied ? <Check /> : <Copy />}
            </IconButton>
          </Tooltip>
        )}
      </Box>
      <Box
        component="pre"
        // A block that scrolls has to be reachable by the keyboard.
        tabIndex={0}
        aria-label={label}
        role="group"
        sx={{
          m: 0,
          px: 1.75,
          py: 1.25,
          maxHeight: 340,
          overflow: 'auto',
          ...(isWrapped ? { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } : {}),
          fontFamily: mono,
          fontSize: 12,
          lineHeight: '18px',
          '&:focus-visible': { outlineOffset: '-2px' },
        }}
      >
        {text}
      </Box>
    </Box>
  );
}
