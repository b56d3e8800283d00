import Box from '@mui/material/Box';
import { CircleCheck, CircleDot, CircleSlash2, Clock3 } from 'lucide-react';
import type { InvoiceStatusCategory } from '../../../contract/states/invoice-status.ts';
import { invoiceStatusWords } from './invoice-status-words.ts';

/** Good states color only the icon, open ones the icon and the word. */
const looks = {
  Paid: { icon: CircleCheck, glyph: 'success.main', word: 'text.secondary', tint: 'success' },
  Pending: { icon: Clock3, glyph: 'primary.main', word: 'text.secondary', tint: 'accent' },
  Voided: { icon: CircleSlash2, glyph: 'ink.three', word: 'text.secondary', tint: 'neutral' },
  Unpaid: { icon: CircleDot, glyph: 'warning.main', word: 'warning.main', tint: 'warning' },
  'Partially Paid': { icon: CircleDot, glyph: 'warning.main', word: 'warning.main', tint: 'warning' },
  outstanding: { icon: CircleDot, glyph: 'warning.main', word: 'warning.main', tint: 'warning' },
} as const;

interface InvoiceStatusProps {
  status: InvoiceStatusCategory;
  /** On a tint of its own, beside a page's title. */
  isPill?: boolean;
}

export function InvoiceStatus({ status, isPill = false }: InvoiceStatusProps) {
  const { icon: Icon, glyph, word, tint } = looks[status];
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: '6px',
        color: word,
        whiteSpace: 'nowrap',
        ...(isPill
          ? { px: 1, height: 24, borderRadius: '6px', bgcolor: `tint.${tint}`, fontSize: 13, fontWeight: 550 }
          : {}),
      }}
    >
      <Box component={Icon} size={15} strokeWidth={2} aria-hidden sx={{ color: glyph, flex: 'none' }} />
      {invoiceStatusWords[status]}
    </Box>
  );
}
