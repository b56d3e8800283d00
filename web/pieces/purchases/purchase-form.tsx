import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { LockKeyhole, X } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { needsConsent, type PurchaseMode } from '../../../contract/forms/purchase.ts';
import type { ChargePreview, ChargeReply } from '../../../contract/purchases.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { salesTaxErrorTitle } from '../../../contract/reference/error-codes.ts';
import { otherPurchaseTitles } from '../../../contract/states/purchase-kind.ts';
import { shownMessage } from '../../api.ts';
import { useUser } from '../../queries/current-user.ts';
import { SIDE_WIDTH } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { say } from '../../ui/say.ts';
import { BillingFields } from './billing-fields.tsx';
import { CardFields } from './card-fields.tsx';
import { ChargeLines } from './charge-summary.tsx';
import { formatDollars } from './money-words.ts';
import { PayWith } from './pay-with.tsx';
import { consentWords } from './purchase-words.ts';
import type { Purchase } from './use-payment.ts';
import { usePurchase } from './use-purchase.ts';

export interface PurchaseRequest {
  mode: PurchaseMode;
  purchase: Purchase;
  isReactivation?: boolean;
  intro?: string;
  /** Above the card: how many, how large, how much. */
  chooser?: ReactNode;
  /** The amount typed into the chooser can't be bought. */
  isInvalid?: boolean;
  sideTitle?: string;
  /** In place of the charge's lines and total. */
  lines?: (preview: ChargePreview) => ReactNode;
  /** Under the total: what follows from the purchase. */
  after?: (preview: ChargePreview) => ReactNode;
  /** Done with the money, before success is reported: the second half of a switch to credits. */
  finish?: () => Promise<unknown>;
}

interface PurchaseFormProps {
  request: PurchaseRequest;
  /** In a dialog: over the form. */
  heading?: (title: string) => ReactNode;
  /** On a page, whose head it is. */
  onTitle?: (title: string) => void;
  onClose?: () => void;
  onPaid: (charge: ChargeReply, preview: ChargePreview) => void;
}

/** Everything that is paid by card goes through here: what it is, with which card, what it costs. */
export function PurchaseForm({ request, heading, onTitle, onClose, onPaid }: PurchaseFormProps) {
  const { mode } = request;
  const purchase = usePurchase(request, onPaid);
  const { card, preview, input, taxProblem } = purchase;
  useEffect(() => onTitle?.(purchase.title), [onTitle, purchase.title]);
  const consent = needsConsent(mode) ? consentWords(mode, preview.data) : undefined;
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        purchase.submit();
      }}
      sx={{ display: 'flex', flexDirection: { xs: 'column', md: 'row' }, minHeight: 0, overflowY: 'auto' }}
    >
      <Box
        sx={{
          flex: { md: 1 },
          minWidth: 0,
          px: { xs: 2, sm: 4 },
          py: 3,
          display: 'grid',
          gap: 3,
          alignContent: 'start',
        }}
      >
        {heading && (
          <Box sx={{ display: 'flex', alignItems: 'flex-start' }}>
            <Box sx={{ flex: 1, minWidth: 0 }}>{heading(purchase.title)}</Box>
            {/* On a telephone the summary, with the other one, is far below. */}
            {onClose && <CloseButton onClose={onClose} display={{ md: 'none' }} />}
          </Box>
        )}
        {request.intro && (
          <Typography sx={{ color: 'text.secondary', ...(heading ? { mt: -2 } : {}) }}>
            {request.intro}
          </Typography>
        )}
        {request.chooser}
        {taxProblem && (
          <Box ref={purchase.taxNotice}>
            <Notice kind="error" title={salesTaxErrorTitle}>
              {taxProblem}
            </Notice>
          </Box>
        )}
        {card.isError && <Notice kind="error">{errorCatalog.creditCard}</Notice>}
        {!purchase.isFree && card.isSuccess && (
          <PayWith
            card={purchase.hasCard ? card.data : undefined}
            canAdd={purchase.canAdd}
            isNew={purchase.usesNew}
            onChoose={purchase.chooseNew}
            input={input}
          >
            {purchase.usesNew && <CardFields input={input} />}
            {purchase.asksAddress && <BillingFields control={purchase.form.control} />}
          </PayWith>
        )}
        {consent && (
          <Box>
            <FormControlLabel
              sx={{ alignItems: 'flex-start', m: 0 }}
              control={
                <Checkbox
                  checked={purchase.hasConsented}
                  onChange={(_, checked) => purchase.agree(checked)}
                  sx={{ p: 0, mr: 1.25, mt: '1px' }}
                />
              }
              label={consent}
            />
            {purchase.consentProblem && (
              <FormHelperText error role="alert">
                {purchase.consentProblem}
              </FormHelperText>
            )}
          </Box>
        )}
      </Box>
      <Box
        sx={{
          width: { md: SIDE_WIDTH },
          flex: 'none',
          bgcolor: 'surface.sunken',
          borderLeft: { md: '1px solid' },
          borderTop: { xs: '1px solid', md: 'none' },
          '&&': { borderColor: 'line.hair' },
          px: { xs: 2, sm: 4, md: 3 },
          py: 3,
          display: 'flex',
          flexDirection: 'column',
          gap: 2,
        }}
      >
        <Box sx={{ display: 'flex', alignItems: 'center', minHeight: 32 }}>
          <Typography variant="h2" component={heading ? 'h3' : 'h2'} sx={{ flex: 1 }}>
            {request.sideTitle ?? otherPurchaseTitles.summary}
          </Typography>
          {onClose && <CloseButton onClose={onClose} display={{ xs: 'none', md: 'inline-flex' }} />}
        </Box>
        {preview.isError && (
          <Notice kind="error">{shownMessage(preview.error, errorCatalog.chargePreview)}</Notice>
        )}
        {preview.isPending && <Skeleton variant="rounded" height={120} />}
        {preview.data && (
          <Box
            sx={{ display: 'grid', gap: 2, opacity: preview.isPlaceholderData ? 0.6 : 1 }}
            aria-live="polite"
          >
            {request.lines ? (
              request.lines(preview.data)
            ) : (
              <ChargeLines preview={preview.data} isTaxKnown={purchase.isTaxKnown} />
            )}
            {request.after?.(preview.data)}
          </Box>
        )}
        <Box sx={{ flex: 1 }} />
        {purchase.problem && <Notice kind="error">{purchase.problem}</Notice>}
        <Button type="submit" variant="contained" color="primary" size="large" disabled={!purchase.canPay}>
          {buttonWords(mode, purchase)}
        </Button>
        {!purchase.isFree && <Receipt />}
      </Box>
    </Box>
  );
}

function CloseButton({ onClose, display }: { onClose: () => void; display: { xs?: string; md: string } }) {
  return (
    <IconButton aria-label="Close" onClick={onClose} sx={{ mr: -1, display }}>
      <X />
    </IconButton>
  );
}

function buttonWords(
  mode: PurchaseMode,
  {
    isWorking,
    isFree,
    isTaxKnown,
    preview,
  }: Pick<ReturnType<typeof usePurchase>, 'isWorking' | 'isFree' | 'isTaxKnown' | 'preview'>,
): string {
  if (isWorking) return isFree ? 'Saving…' : 'Paying…';
  if (isFree) return mode === 'convert to pay-as-you-go' ? 'Switch to credits' : say('Confirm');
  return preview.data && isTaxKnown ? `Pay ${formatDollars(preview.data.TotalAmount)}` : say('Pay');
}

function Receipt() {
  const user = useUser();
  return (
    <Typography
      variant="body2"
      sx={{
        color: 'text.secondary',
        display: 'flex',
        gap: 1,
        justifyContent: 'center',
        alignItems: 'center',
      }}
    >
      <LockKeyhole size={14} aria-hidden style={{ flex: 'none' }} />
      <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        {user?.IsMasterUser ? `Receipt to ${user.Email}` : 'The receipt goes to your account owner.'}
      </Box>
    </Typography>
  );
}
