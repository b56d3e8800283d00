import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { memo } from 'react';
import { useAccount, useCan } from '../queries/current-user.ts';
import { formatCompact, formatCount } from '../ui/format.ts';
import { RouterLink } from '../ui/router-link.tsx';

/** The balance and reserved credits, or how much of the plan is used, at the bottom of the navigation. */
export const CreditCard = memo(function CreditCard({ isRail }: { isRail: boolean }) {
  const account = useAccount();
  const canBuy = useCan('buyCredits');
  const canSubscribe = useCan('subscribe');
  if (!account) return null;
  // AccountTypeID 1 and 3 pay by the month; the contract's own words for it are too heavy for the frame.
  const isMonthly = account.AccountTypeID % 2 === 1;
  const figure = isMonthly ? account.UniqueCallCount : account.CallBalance;
  const unit = isMonthly ? 'people' : 'credits';
  const rest = isMonthly
    ? `of ${formatCount(account.MonthlyLevel ?? 0)} people`
    : `${formatCount(account.PendingCallBalance)} reserved`;
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
        title={`${formatCount(figure)} ${isMonthly ? '' : 'credits, '}${rest}`}
        placement="right"
      >
        <Box sx={{ ...frame, py: '7px', textAlign: 'center' }}>
          <Typography
            variant="body2"
            component="p"
            sx={{ fontWeight: 620, fontVariantNumeric: 'tabular-nums' }}
          >
            {formatCompact(figure)}
          </Typography>
          <Typography component="p" sx={{ fontSize: 11, lineHeight: '14px', color: 'text.secondary' }}>
            {unit}
          </Typography>
        </Box>
      </Tooltip>
    );
  }
  return (
    <Box sx={{ ...frame, px: '12px', py: '10px' }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between' }}>
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {isMonthly ? 'Monthly plan' : 'Credits'}
        </Typography>
        {account.IsFreeTrial
          ? canSubscribe && (
              <RouterLink to="/upgrade" sx={link}>
                Upgrade
              </RouterLink>
            )
          : isMonthly
            ? canSubscribe &&
              account.AccountTypeID === 1 && (
                <RouterLink to="/settings/billing" search={{ open: 'plan' }} sx={link}>
                  Change
                </RouterLink>
              )
            : canBuy && (
                <RouterLink to="/settings/billing" search={{ open: 'credits' }} sx={link}>
                  Buy credits
                </RouterLink>
              )}
      </Box>
      <Typography variant="h2" component="p" sx={{ fontVariantNumeric: 'tabular-nums', my: '2px' }}>
        {formatCount(figure)}
      </Typography>
      <Typography
        variant="caption"
        component="p"
        sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
      >
        {rest}
      </Typography>
    </Box>
  );
});

const link = { typography: 'caption', fontWeight: 600 } as const;
