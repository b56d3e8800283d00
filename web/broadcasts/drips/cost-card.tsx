import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { Card } from '../../ui/card.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import type { EditedStep } from './drip-words.ts';

interface CostCardProps {
  costs:
    | { Credits: number; CreditsEach: number; Steps: readonly { Segments: number; Credits: number }[] }
    | undefined;
  steps: readonly EditedStep[];
  /** What one person costs, where nobody knows how many will join. */
  isEach: boolean;
  haveFailed: boolean;
}

/** What each step costs, and all of them. */
export function CostCard({ costs, steps, isEach, haveFailed }: CostCardProps) {
  return (
    <Card title="Cost">
      <Box sx={{ p: 2.5 }}>
        {haveFailed && <Notice kind="error">{errorCatalog.dripCredits}</Notice>}
        <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {steps.map((step, index) => (
            <Box
              component="li"
              key={step.key}
              sx={{ display: 'flex', gap: 1, py: '6px', borderBottom: '1px solid', borderColor: 'line.hair' }}
            >
              <Box sx={{ flex: 1 }}>Step {index + 1}</Box>
              <Box sx={{ fontVariantNumeric: 'tabular-nums' }}>
                {formatCount((isEach ? costs?.Steps[index]?.Segments : costs?.Steps[index]?.Credits) ?? 0)}
              </Box>
            </Box>
          ))}
        </Box>
        <Box sx={{ display: 'flex', pt: 1.5, fontWeight: 550 }}>
          <Box sx={{ flex: 1 }}>{isEach ? 'Each person' : 'Total'}</Box>
          {countOf((isEach ? costs?.CreditsEach : costs?.Credits) ?? 0, 'credit', 'credits')}
        </Box>
        <Typography variant="body2" sx={{ mt: 1.5, color: 'text.secondary' }}>
          Anyone who opts out along the way gets no further texts and costs nothing more.
        </Typography>
      </Box>
    </Card>
  );
}
