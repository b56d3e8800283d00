import Box from '@mui/material/Box';
import Slider from '@mui/material/Slider';
import Typography from '@mui/material/Typography';
import { Check } from 'lucide-react';
import { creditLadder } from '../../../contract/money/credit-steps.ts';
import { findTier, type PricingTier } from '../../../contract/money/pricing.ts';
import { formatCount } from '../../ui/format.ts';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { formatUnitCost } from './money-words.ts';

interface CreditChooserProps {
  tiers: readonly PricingTier[];
  credits: number;
  onChange: (credits: number) => void;
}

/** Choice of the number of credits, on the ladder of amounts, with what one costs at each tier. */
export function CreditChooser({ tiers, credits, onChange }: CreditChooserProps) {
  const steps = creditLadder(tiers);
  // More than the ladder has: what is missing is the last step.
  const ladder = credits > (steps.at(-1) ?? 0) ? [...steps, credits] : steps;
  const at = Math.max(
    0,
    ladder.findIndex((offer) => offer >= credits),
  );
  const tier = findTier(tiers, credits);
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1.25, fontVariantNumeric: 'tabular-nums' }}>
        <Typography component="span" sx={{ fontSize: 44, lineHeight: '52px', fontWeight: 650 }}>
          {formatCount(credits)}
        </Typography>
        <Typography component="span" sx={{ color: 'text.secondary', flex: 1 }}>
          credits
        </Typography>
        <Typography component="span" sx={{ fontWeight: 600, fontSize: 16 }}>
          {tier && `${formatUnitCost(tier.Cost)} each`}
        </Typography>
      </Box>
      <Box sx={{ px: 1 }}>
        <Slider
          aria-label="Credits"
          min={0}
          max={ladder.length - 1}
          step={1}
          marks={ladder.map((offer, index) => ({
            value: index,
            label: isNamed(index, at, ladder.length) && formatCount(offer),
          }))}
          value={at}
          getAriaValueText={(index) => `${formatCount(ladder[index] ?? 0)} credits`}
          onChange={(_, index) => onChange(ladder[index as number] ?? credits)}
          sx={{
            '& .MuiSlider-markLabel': { fontSize: 13, color: 'text.secondary' },
            [`& .MuiSlider-markLabel[data-index="${at}"]`]: { color: 'primary.main', fontWeight: 600 },
            '& .MuiSlider-markLabel[data-index="0"]': { transform: 'translateX(-25%)' },
            [`& .MuiSlider-markLabel[data-index="${ladder.length - 1}"]`]: { transform: 'translateX(-75%)' },
          }}
        />
      </Box>
      <Box
        component="ul"
        aria-label="Prices"
        sx={{
          listStyle: 'none',
          m: 0,
          p: 0,
          display: 'grid',
          gridTemplateColumns: { xs: 'repeat(3, 1fr)', sm: `repeat(${tiers.length}, 1fr)` },
          border: '1px solid',
          borderColor: 'line.hair',
          borderRadius: '10px',
          overflow: 'hidden',
          fontVariantNumeric: 'tabular-nums',
        }}
      >
        {tiers.map((each, index) => {
          const isChosen = each.LowerLimit === tier?.LowerLimit;
          const next = tiers[index + 1];
          return (
            <Box
              component="li"
              key={each.LowerLimit}
              sx={{
                px: 1.5,
                py: 1,
                bgcolor: isChosen ? 'tint.accent' : 'transparent',
                boxShadow: (theme) => `1px 1px 0 ${theme.vars.palette.line.hair}`,
              }}
            >
              <Box sx={{ fontWeight: 600, display: 'flex', alignItems: 'center', gap: 0.75 }}>
                {formatUnitCost(each.Cost)}
                {isChosen && <Box component={Check} size={15} aria-hidden sx={{ color: 'primary.main' }} />}
                {isChosen && <Box style={visuallyHidden}>, your price</Box>}
              </Box>
              <Box sx={{ typography: 'body2', color: 'text.secondary' }}>
                {index === 0 && next
                  ? `under ${formatCount(next.LowerLimit)}`
                  : `from ${formatCount(each.LowerLimit)}`}
              </Box>
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}

/** Few enough names under the line that none covers another: the ends, the chosen one, and two on the way. */
function isNamed(index: number, at: number, count: number): boolean {
  if (index === at) return true;
  const isEnd = index === 0 || index === count - 1;
  const isOnTheWay = index === 3 || index === 6;
  return (isEnd || isOnTheWay) && Math.abs(index - at) > 1;
}
