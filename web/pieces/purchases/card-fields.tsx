import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import { CardCvcElement, CardExpiryElement, CardNumberElement } from '@stripe/react-stripe-js';
import type { StripeElementStyle } from '@stripe/stripe-js';
import { useId, useState } from 'react';
import { type CardFieldName, cardFieldMessage, cardFieldNames, emptyCardMessages } from './card-words.ts';

/** The state of the processor's fields, never their input. */
type CardState = Partial<Record<CardFieldName, { isComplete: boolean; error?: string | undefined }>>;

export interface CardInput {
  /** Errors by field: what the processor's script said, or what is missing after a press. */
  errors: Partial<Record<CardFieldName, string>>;
  change: (name: CardFieldName, field: { isComplete: boolean; error?: string | undefined }) => void;
  /** Checks that the fields are complete, and marks those that are missing. */
  isWhole: (names: readonly CardFieldName[]) => boolean;
}

export function useCardInput(): CardInput {
  const [state, setState] = useState<CardState>({});
  const [missing, setMissing] = useState<Partial<Record<CardFieldName, string>>>({});
  const errors = Object.fromEntries(
    cardFieldNames.flatMap((name) => {
      const error = state[name]?.error ?? missing[name];
      return error === undefined ? [] : [[name, error]];
    }),
  );
  return {
    errors,
    change: (name, field) => {
      setState((before) => ({ ...before, [name]: field }));
      setMissing(({ [name]: _, ...rest }) => rest);
    },
    isWhole: (names) => {
      const lacking = names.filter((name) => state[name]?.isComplete !== true);
      setMissing(Object.fromEntries(lacking.map((name) => [name, emptyCardMessages[name]])));
      return lacking.length === 0;
    },
  };
}

/** Number, expiration and CVN, each a frame of the processor's own origin. */
export function CardFields({ input }: { input: CardInput }) {
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <ProcessorField name="cardNumber" label="Card number" input={input} />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: '1fr 1fr' }}>
        <ProcessorField name="cardExpiry" label="Expiration" input={input} />
        <ProcessorField name="cardCvc" label="CVN" input={input} />
      </Box>
    </Box>
  );
}

interface ProcessorFieldProps {
  name: CardFieldName;
  label: string;
  input: CardInput;
  /** The label at the left of the box instead of above it. */
  isInline?: boolean;
}

const elements = { cardNumber: CardNumberElement, cardExpiry: CardExpiryElement, cardCvc: CardCvcElement };

export function ProcessorField({ name, label, input, isInline = false }: ProcessorFieldProps) {
  const id = useId();
  const [isFocused, setFocused] = useState(false);
  const [style] = useState(frameStyle);
  const Element = elements[name] as typeof CardNumberElement;
  const error = input.errors[name];
  return (
    <Box role="group" aria-labelledby={id} sx={{ minWidth: 0 }}>
      <Box
        sx={
          isInline ? { display: 'grid', gridTemplateColumns: 'auto 1fr', gap: 1.5, alignItems: 'center' } : {}
        }
      >
        <FormLabel
          id={id}
          component="span"
          error={error !== undefined}
          sx={isInline ? { fontWeight: 400, color: 'text.secondary' } : { display: 'block', mb: '6px' }}
        >
          {label}
        </FormLabel>
        <Box
          sx={{
            height: 36,
            px: '12px',
            display: 'grid',
            alignItems: 'center',
            border: '1px solid',
            borderColor: error ? 'error.main' : isFocused ? 'primary.main' : 'line.input',
            borderRadius: '8px',
            bgcolor: 'surface.raised',
            boxShadow: (theme) =>
              isFocused
                ? `0 0 0 3px color-mix(in srgb, ${theme.vars.palette[error ? 'error' : 'primary'].main} 18%, transparent)`
                : 'none',
            // The processor's frames are light ones: in a dark page the browser would paint them white.
            colorScheme: 'light',
          }}
        >
          <Element
            options={{ style }}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
            onChange={(event) => {
              const code = event.error?.code;
              const brand = 'brand' in event ? String(event.brand) : '';
              input.change(name, {
                isComplete: event.complete,
                error:
                  code === undefined ? undefined : (cardFieldMessage(code, brand) ?? event.error?.message),
              });
            }}
          />
        </Box>
      </Box>
      {error && (
        <FormHelperText error role="alert">
          {error}
        </FormHelperText>
      )}
    </Box>
  );
}

/** The frame can't see our styles: it is told the color and the font of the page as they are now. */
function frameStyle(): StripeElementStyle {
  const { color, fontFamily } = getComputedStyle(document.body);
  return { base: { color, fontFamily, fontSize: '14px' } };
}
