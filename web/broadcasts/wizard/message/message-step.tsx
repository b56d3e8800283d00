import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import useMediaQuery from '@mui/material/useMediaQuery';
import { ArrowRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { placesCalls } from '../../../../contract/money/units.ts';
import { StepHead } from '../../../ui/wizard-frame.tsx';
import type { StepProps } from '../draft-state.ts';
import { focusFirstError } from '../focus-error.ts';
import { useUsualNumber } from '../settings-step.tsx';
import { StepLayout } from '../step-layout.tsx';
import { VoiceStep } from '../voice/voice-step.tsx';
import { useWizard } from '../wizard-context.ts';
import { useTextPart } from './text-part.tsx';
import { WriteOrPreview } from './write-or-preview.tsx';

/** Step 3: what they read or hear. */
export function MessageStep(props: StepProps) {
  // People who come here from another page haven't been asked for the number.
  const { draft, save } = useUsualNumber(props);
  const given = { draft, save, flush: props.flush };
  return placesCalls(draft.BroadcastType) ? <VoiceStep {...given} /> : <TextStep {...given} />;
}

/** The text, and how it looks on recipients' phones. */
function TextStep(props: StepProps) {
  const { goTo, tried } = useWizard();
  const [isTried, setTried] = useState(tried === 3);
  useEffect(() => {
    if (tried === 3) focusFirstError();
  }, [tried]);
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down('md'));
  const [tab, setTab] = useState<'write' | 'preview'>('write');
  // On a phone the keyboard would cover half of the page.
  const text = useTextPart({ ...props, isTried, hasFocus: !isNarrow });
  const next = () => {
    setTried(true);
    setTab('write');
    if (text.isUploading) return;
    if (text.isWrong) focusFirstError();
    else goTo(4);
  };

  return (
    <StepLayout
      forward={
        <Button variant="contained" color="primary" endIcon={<ArrowRight aria-hidden />} onClick={next}>
          Next: Review
        </Button>
      }
    >
      <Box
        sx={{
          display: 'grid',
          columnGap: 3,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 300px' },
        }}
      >
        <Box sx={{ minWidth: 0 }}>
          <StepHead
            title="What do you want to say?"
            sentence={
              text.facts.isPersonalized
                ? 'Everyone gets their own personalized copy.'
                : 'Everyone gets their own copy.'
            }
            action={text.library}
          />
          {isNarrow && <WriteOrPreview value={tab} onChange={setTab} />}
          <Box sx={{ display: isNarrow && tab !== 'write' ? 'none' : 'block' }}>{text.editor}</Box>
        </Box>
        {(!isNarrow || tab === 'preview') && text.preview}
      </Box>
    </StepLayout>
  );
}
