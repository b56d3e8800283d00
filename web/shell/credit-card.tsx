import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { memo } from 'react';
import { useAccount } from '../queries/current-user.ts';
import { countOf, formatCompact, formatCount } from '../ui/format.ts';

/** The balance and reserved credits, at the bottom of the navigation. */
export const CreditCard = memo(function CreditCard({ isRail }: { isRail: boolean }) {
  const account = useAccount();
  if (!account) return null;
  const { CallBalance: balance, PendingCallBalance: reserved } = account;
  const frame = {
    border: '1px solid',
    borderColor: 'line.hair',
    bgcolor: 'background.paper',
    borderRadius: '10px',
  };
  if (isRail) {
    return (
      <Tooltip
        describeChild
        title={`${countOf(balance, 'credit', 'credits')}, ${formatCount(reserved)} reserved`}
        placement="right"
      >
        <Box sx={{ ...frame, py: '7px', textAlign: 'center' }}>
          <Typography
            variant="body2"
            component="p"
            sx={{ fontWeight: 620, fontVariantNumeric: 'tabular-nums' }}
          >
            {formatCompact(balance)}
          </Typography>
          <Typography component="p" sx={{ fontSize: 11, lineHeight: '14px', color: 'text.secondary' }}>
            credits
          </Typography>
        </Box>
      </Tooltip>
    );
  }
  return (
    <Box sx={{ ...frame, px: '12px', py: '10px' }}>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        Credits
      </Typography>
      <Typography variant="h2" component="p" sx={{ fontVariantNumeric: 'tabular-nums', my: '2px' }}>
        {formatCount(balance)}
      </Typography>
      <Typography
        variant="caption"
        component="p"
        sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
      >
        {formatCount(reserved)} reserved
      </Typography>
    </Box>
  );
});
