import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import type { WizardStep } from '../../../contract/states/broadcast-wizard.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { formatTime } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { say } from '../../ui/say.ts';
import { BackButton, WizardFrame } from '../../ui/wizard-frame.tsx';
import { SummaryCard, SummaryStrip } from './summary-card.tsx';
import { useWizard, type Wizard } from './wizard-context.ts';

interface StepLayoutProps {
  /** The primary button at the bottom right, and the content beside it. */
  forward: ReactNode;
  /** Not on Review, which is a summary itself. */
  hasSummary?: boolean;
  children: ReactNode;
}

/** The stepper's title is shorter than the page's. */
const steps = [say('Settings'), say('Recipients'), say('Messages'), say('Review')];

/**
 * The frame of every step: bar, content, the summary on the right (below 1200 px a line above the bottom
 * bar), Back and the primary button.
 */
export function StepLayout({ forward, hasSummary = true, children }: StepLayoutProps) {
  const wizard = useWizard();
  const { draft, step, done, goTo, close } = wizard;
  return (
    <WizardFrame
      title={draft.BroadcastName.trim() || 'New broadcast'}
      subtitle={<SavedLine wizard={wizard} />}
      steps={steps}
      at={step - 1}
      done={done}
      onStep={(index) => goTo((index + 1) as WizardStep)}
      onClose={close}
      closing={
        <Button variant="text" onClick={close} sx={{ color: 'ink.one' }}>
          Save and close
        </Button>
      }
      back={
        step > 1 ? (
          <BackButton onPress={() => goTo((step - 1) as WizardStep)} />
        ) : (
          <Button onClick={close}>Close</Button>
        )
      }
      forward={forward}
      aboveFoot={hasSummary && <SummaryStrip draft={draft} />}
    >
      {wizard.saveError && (
        <Box sx={{ mb: 2 }}>
          <Notice
            kind="error"
            title="Your latest changes aren’t saved"
            actions={
              <Button size="small" disabled={wizard.isSaving} onClick={wizard.retry}>
                Try again
              </Button>
            }
          >
            {wizard.saveError}
          </Notice>
        </Box>
      )}
      {hasSummary ? (
        <Box
          sx={{
            display: 'grid',
            columnGap: 3,
            alignItems: 'start',
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 304px' },
          }}
        >
          <Box sx={{ minWidth: 0 }}>{children}</Box>
          <Box sx={{ display: { xs: 'none', lg: 'block' }, position: 'sticky', top: 92 }}>
            <SummaryCard draft={draft} />
          </Box>
        </Box>
      ) : (
        children
      )}
    </WizardFrame>
  );
}

function SavedLine({ wizard }: { wizard: Wizard }) {
  const zone = useTimeZone();
  const { isSaving, savedAt, saveError } = wizard;
  return <span role="status">{savedWords({ isSaving, savedAt, saveError }, zone)}</span>;
}

type Saving = Pick<Wizard, 'isSaving' | 'savedAt' | 'saveError'>;

function savedWords({ isSaving, savedAt, saveError }: Saving, zone: string): string {
  if (saveError) return isSaving ? 'Draft, trying to save again…' : 'Draft, not saved';
  if (isSaving && savedAt === undefined) return 'Draft, saving…';
  return savedAt === undefined
    ? 'Draft, nothing to save yet'
    : `Draft, saved at ${formatTime(savedAt, zone)}`;
}
