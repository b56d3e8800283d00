import Box from '@mui/material/Box';
import Radio from '@mui/material/Radio';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { isExpiredOn } from '../../../contract/forms/card.ts';
import { useNow } from '../../ui/now.ts';
import { type CardInput, ProcessorField } from './card-fields.tsx';
import { CardMark } from './card-mark.tsx';
import { formatExpiration } from './money-words.ts';

interface CardOnFile {
  Brand?: string | undefined;
  LastFour?: string | undefined;
  FirstName?: string | undefined;
  LastName?: string | undefined;
  ExpirationDate?: string | undefined;
}

interface PayWithProps {
  card: CardOnFile | undefined;
  /** True if the user may bring another card. */
  canAdd: boolean;
  isNew: boolean;
  onChoose: (isNew: boolean) => void;
  input: CardInput;
  /** Under the chosen card: the fields of a new card, or the address of the one on file. */
  children: ReactNode;
}

/** The card on file with its CVN, or another card. */
export function PayWith({ card, canAdd, isNew, onChoose, input, children }: PayWithProps) {
  const now = useNow();
  const isExpired = card?.ExpirationDate !== undefined && isExpiredOn(card.ExpirationDate, now);
  return (
    <Box component="fieldset" sx={{ border: 0, p: 0, m: 0, minWidth: 0, display: 'grid', gap: 1.25 }}>
      <Typography component="legend" sx={{ fontWeight: 600, mb: 1.25, p: 0 }}>
        {card ? 'Pay with' : 'Card'}
      </Typography>
      {card && (
        <Box sx={{ ...box(!isNew), flexWrap: 'wrap' }}>
          <Box
            component="label"
            sx={{
              display: 'flex',
              gap: 1.5,
              alignItems: 'center',
              flex: 1,
              minWidth: 200,
              cursor: 'pointer',
            }}
          >
            <Radio checked={!isNew} onChange={() => onChoose(false)} />
            <CardMark brand={card.Brand ?? ''} />
            <span>
              <Box component="span" sx={{ display: 'block', fontWeight: 550 }}>
                {card.Brand} ending in {card.LastFour}
              </Box>
              {card.ExpirationDate !== undefined && (
                <Typography
                  variant="body2"
                  component="span"
                  sx={{ color: isExpired ? 'error.main' : 'text.secondary' }}
                >
                  {card.FirstName} {card.LastName}, {isExpired ? 'expired' : 'expires'}{' '}
                  {formatExpiration(card.ExpirationDate)}
                </Typography>
              )}
            </span>
          </Box>
          {!isNew && (
            <Box sx={{ width: 122 }}>
              <ProcessorField name="cardCvc" label="CVN" input={input} isInline />
            </Box>
          )}
        </Box>
      )}
      {card && canAdd && (
        <Box component="label" sx={{ ...box(isNew), cursor: 'pointer' }}>
          <Radio checked={isNew} onChange={() => onChoose(true)} /> Another card
        </Box>
      )}
      {children && <Box sx={{ display: 'grid', gap: 2, mt: card ? 0.5 : 0 }}>{children}</Box>}
    </Box>
  );
}

function box(isChosen: boolean) {
  return {
    display: 'flex',
    gap: 1.5,
    alignItems: 'center',
    minHeight: 46,
    border: '1px solid',
    borderColor: isChosen ? 'primary.main' : 'line.strong',
    boxShadow: (theme: { vars: { palette: { primary: { main: string } } } }) =>
      isChosen ? `inset 0 0 0 1px ${theme.vars.palette.primary.main}` : 'none',
    borderRadius: '10px',
    px: 1.5,
    py: 1,
  };
}
