import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { Card } from '../../ui/card.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Balance } from '../wizard/summary-card.tsx';
import { type EditedStep, whenWords } from './drip-words.ts';

interface CostCardProps {
  costs:
    | { Credits: number; CreditsEach: number; Steps: readonly { Segments: number; Credits: number }[] }
    | undefined;
  steps: readonly EditedStep[];
  /** The step that is open. */
  at: number;
  /** The cost of one person, where the number of people who will join isn't known. */
  isEach: boolean;
  haveFailed: boolean;
}

/** The cost of each step, and of all steps together. */
export function CostCard({ costs, steps, at, isEach, haveFailed }: CostCardProps) {
  return (
    <Card title="Cost">
      <Box sx={{ px: 2.5, pt: 1, pb: 2 }}>
        {haveFailed && <Notice kind="error">{errorCatalog.dripCredits}</Notice>}
        <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0, fontVariantNumeric: 'tabular-nums' }}>
          {steps.map((step, index) => (
            <Box
              component="li"
              key={step.key}
              aria-current={index === at ? 'step' : undefined}
              sx={{
                display: 'flex',
                gap: 1.25,
                py: '7px',
                borderBottom: '1px solid',
                borderColor: 'line.hair',
                fontWeight: index === at ? 600 : 400,
              }}
            >
              <Box sx={{ width: 14, typography: 'body2', color: 'ink.three' }}>{index + 1}</Box>
              <Box sx={{ flex: 1, minWidth: 0, color: index === at ? 'text.primary' : 'text.secondary' }}>
                {whenWords(step, isEach)}
              </Box>
              <Box>
                {formatCount((isEach ? costs?.Steps[index]?.Segments : costs?.Steps[index]?.Credits) ?? 0)}
              </Box>
            </Box>
          ))}
        </Box>
        <Box sx={{ display: 'flex', py: 1.25, fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
          <Box sx={{ flex: 1 }}>{isEach ? 'Each person' : 'Total'}</Box>
          {countOf((isEach ? costs?.CreditsEach : costs?.Credits) ?? 0, 'credit', 'credits')}
        </Box>
        {!isEach && <Balance credits={costs?.Credits ?? 0} />}
        <Typography variant="body2" sx={{ mt: 1.5, color: 'text.secondary' }}>
          Anyone who opts out along the way gets no further texts and costs nothing more.
        </Typography>
      </Box>
    </Card>
  );
}
