import Box from '@mui/material/Box';
import { CreditCard } from 'lucide-react';

const marks: Readonly<Record<string, { word: string; color: string }>> = {
  Visa: { word: 'VISA', color: '#1A3A94' },
  Mastercard: { word: 'MC', color: '#B3261E' },
  'American Express': { word: 'AMEX', color: '#0B5C8E' },
  Amex: { word: 'AMEX', color: '#0B5C8E' },
  Discover: { word: 'DISC', color: '#9A4B00' },
};

/** The brand of a card on a small white card, in light and dark. The text beside it names the brand. */
export function CardMark({ brand }: { brand: string }) {
  const mark = marks[brand];
  return (
    <Box
      aria-hidden
      sx={{
        width: 38,
        height: 25,
        flex: 'none',
        display: 'grid',
        placeItems: 'center',
        border: '1px solid',
        borderColor: 'line.hair',
        borderRadius: '5px',
        bgcolor: '#fff',
        color: mark?.color ?? '#5B6B67',
        fontSize: 11,
        lineHeight: 1,
        fontWeight: 750,
        fontStyle: brand === 'Visa' ? 'italic' : 'normal',
      }}
    >
      {mark ? mark.word : <CreditCard size={15} />}
    </Box>
  );
}
