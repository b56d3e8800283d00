import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { EmergencyPreview } from '../../contract/emergencies.ts';
import { useCan } from '../queries/current-user.ts';
import { countOf } from '../ui/format.ts';
import { locale } from '../ui/locale.ts';
import { Notice } from '../ui/notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import type { Chosen } from './emergency-state.ts';

interface MissingCreditsProps {
  preview: EmergencyPreview;
  /** The people to ask. */
  owners: readonly string[];
  onChange: (changed: Partial<Chosen>) => void;
}

/**
 * Shown in advance, by role: users who may buy get a link, others the names of people to ask. Texts alone may
 * be affordable.
 */
export function MissingCredits({ preview, owners, onChange }: MissingCreditsProps) {
  const canBuy = useCan('buyCredits');
  const { Cost, TextCredits, Channel } = preview;
  const available = Cost.Credits + Cost.After;
  const missing = countOf(-Cost.After, 'credit', 'credits');
  const canText = Channel === 'TextAndCall' && TextCredits > 0 && TextCredits <= available;
  return (
    <Notice kind="error" title="Not enough credits">
      {canBuy
        ? `${missing} more are needed.`
        : `${missing} more are needed. Ask ${new Intl.ListFormat(locale, { type: 'disjunction' }).format(owners) || 'an account owner'} to buy them.`}
      <Box sx={{ mt: 1, display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {canText && (
          <Button sx={{ minHeight: 44 }} onClick={() => onChange({ channel: 'Text' })}>
            Text only, {countOf(TextCredits, 'credit', 'credits')}
          </Button>
        )}
        {canBuy && (
          <RouterButton to="/settings/billing" search={{ open: 'credits' }} sx={{ minHeight: 44 }}>
            Buy credits
          </RouterButton>
        )}
      </Box>
    </Notice>
  );
}
