import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { ArrowLeft, X } from 'lucide-react';
import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { footRef } from './foot-height.ts';
import { HeadTool } from './head-tool.ts';
import { Notice } from './notice.tsx';
import { usePageTitle } from './page-title.ts';
import { hasManySteps, Stepper } from './stepper.tsx';

export interface WizardFrameProps {
  title: string;
  /** Below the title, where there is room: the file name, or when it was saved. */
  subtitle?: ReactNode;
  /** None for a page that is written in one go. */
  steps: readonly string[];
  /** The current step; the number of steps once all are done. */
  at: number;
  /** The steps that are done, if not simply those before the current one. */
  done?: readonly boolean[];
  /** Opens a step; without it, steps can't be pressed. */
  onStep?: ((index: number) => void) | undefined;
  onClose: () => void;
  /** At the right of the bar: Save and close. */
  closing?: ReactNode;
  /** The foot's left and right. Without both there is no foot. */
  back?: ReactNode;
  forward?: ReactNode;
  /** Above the foot, in the same band. */
  aboveFoot?: ReactNode;
  children: ReactNode;
}

const gutter = { xs: 2, sm: 3, laptop: 4 } as const;

/** A full page with a fixed bar and foot, and the steps between them. */
export function WizardFrame(props: WizardFrameProps) {
  const { title, subtitle, steps, at, done, onStep, onClose, closing, children } = props;
  const { back, forward, aboveFoot } = props;
  usePageTitle(title);
  const tool = useContext(HeadTool);
  return (
    <Box sx={{ flex: '1 0 auto', display: 'flex', flexDirection: 'column', minWidth: 0 }}>
      <Box
        component="header"
        sx={{
          position: 'sticky',
          top: 0,
          zIndex: 4,
          minHeight: 64,
          display: 'grid',
          containerType: 'inline-size',
          // The steps are centered where there is room. Many steps take it, and the title needs the rest.
          gridTemplateColumns: {
            xs: 'minmax(0, 1fr) auto auto',
            lg: hasManySteps(steps) ? 'minmax(0, 1fr) auto auto' : 'minmax(0, 1fr) auto minmax(0, 1fr)',
          },
          alignItems: 'center',
          gap: 2,
          px: { xs: 1, sm: 3 },
          bgcolor: 'background.paper',
          borderBottom: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 1,
            minWidth: 0,
            gridColumn: { xs: '1 / -1', sm: 'auto' },
          }}
        >
          <CloseButton onPress={onClose} />
          <Box sx={{ minWidth: 0, flex: 1 }}>
            <Typography variant="h6" component="p" noWrap>
              {title}
            </Typography>
            {subtitle && (
              <Typography
                variant="body2"
                component="p"
                noWrap
                {...(typeof subtitle === 'string' ? { title: subtitle } : {})}
                sx={{ color: 'text.secondary', display: { xs: 'none', sm: 'block' } }}
              >
                {subtitle}
              </Typography>
            )}
            {steps.length > 0 && (
              <Typography
                variant="body2"
                component="p"
                noWrap
                sx={{ color: 'text.secondary', display: { sm: 'none' } }}
              >
                {at < steps.length ? `Step ${at + 1} of ${steps.length}: ${steps[at]}` : 'Done'}
              </Typography>
            )}
          </Box>
          {tool}
        </Box>
        {steps.length > 0 ? <Stepper steps={steps} at={at} done={done} onPress={onStep} /> : <span />}
        <Box sx={{ display: { xs: 'none', sm: 'flex' }, justifyContent: 'flex-end' }}>{closing}</Box>
      </Box>
      <Box sx={{ flex: 1, px: gutter, py: { xs: 2.5, sm: 3.5 }, minWidth: 0 }}>{children}</Box>
      {(back || forward) && (
        <Box
          component="footer"
          ref={footRef}
          sx={{
            position: 'sticky',
            bottom: 0,
            zIndex: 4,
            px: gutter,
            pb: 'env(safe-area-inset-bottom)',
            bgcolor: 'background.paper',
            borderTop: '1px solid',
            borderColor: 'line.hair',
          }}
        >
          {aboveFoot}
          <Box
            sx={{
              minHeight: 64,
              display: 'flex',
              alignItems: 'center',
              justifyContent: 'space-between',
              gap: 1.5,
            }}
          >
            <Box sx={{ flex: 'none' }}>{back}</Box>
            <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>{forward}</Box>
          </Box>
        </Box>
      )}
    </Box>
  );
}

function CloseButton({ onPress }: { onPress: () => void }) {
  return (
    <Tooltip title="Close">
      <IconButton aria-label="Close" onClick={onPress}>
        <X />
      </IconButton>
    </Tooltip>
  );
}

/** The Back button, at the left of the foot. */
export function BackButton({ onPress }: { onPress: () => void }) {
  return (
    <Button startIcon={<ArrowLeft />} onClick={onPress}>
      Back
    </Button>
  );
}

/** The title of a step: the page's only h1. */
export function StepHead({
  title,
  sentence,
  action,
}: {
  title: string;
  sentence?: ReactNode;
  action?: ReactNode;
}) {
  const titleRef = useStepStart();
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'flex-end',
        justifyContent: 'space-between',
        columnGap: 2,
        rowGap: 1.5,
        mb: 2,
      }}
    >
      <Box sx={{ minWidth: 0, flex: '1 1 260px' }}>
        <Typography variant="h1" ref={titleRef} tabIndex={-1}>
          {title}
        </Typography>
        {sentence && (
          <Typography component="div" sx={{ mt: 0.25, color: 'text.secondary' }}>
            {sentence}
          </Typography>
        )}
      </Box>
      {action}
    </Box>
  );
}

/**
 * A step starts at its top. The button that led here is gone and so is the focus, so the title takes it. Keyboard users
 * continue from there, and screen readers announce the step. Skipped on the first page load, where Tab starts at the
 * top.
 */
function useStepStart() {
  const titleRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.getElementById('content')?.scrollTo({ top: 0 });
    if (navigator.userActivation?.hasBeenActive && document.activeElement === document.body)
      titleRef.current?.focus({ preventScroll: true });
  }, []);
  return titleRef;
}

/** The step's error, above its content. */
export function StepProblem({ problem }: { problem: string | undefined }) {
  return (
    problem && (
      <Box sx={{ mb: 2 }}>
        <Notice kind="error">{problem}</Notice>
      </Box>
    )
  );
}

interface TwoColumnsProps {
  head: ReactNode;
  main: ReactNode;
  side: ReactNode;
  /** In one column, the side comes before the main part. */
  isSideFirst?: boolean;
}

/** The main part and a 312 px side next to it; below 1024 px one below the other. */
export function TwoColumns({ head, main, side, isSideFirst = false }: TwoColumnsProps) {
  return (
    <Box
      sx={{
        display: 'grid',
        columnGap: 3,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', laptop: 'minmax(0, 1fr) 312px' },
      }}
    >
      <div>{head}</div>
      {isSideFirst && <Side isBefore>{side}</Side>}
      <Box sx={{ minWidth: 0, gridColumn: 1, gridRow: { laptop: 2 } }}>{main}</Box>
      {!isSideFirst && <Side>{side}</Side>}
    </Box>
  );
}

function Side({ isBefore = false, children }: { isBefore?: boolean; children: ReactNode }) {
  return (
    <Box
      sx={{
        gridColumn: { laptop: 2 },
        gridRow: { laptop: 2 },
        display: 'grid',
        gap: 2,
        ...(isBefore ? { mb: { xs: 3, laptop: 0 } } : { mt: { xs: 3, laptop: 0 } }),
      }}
    >
      {children}
    </Box>
  );
}
