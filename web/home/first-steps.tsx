import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Check } from 'lucide-react';
import { Card } from '../ui/card.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import type { Home } from './home-page.tsx';

type Step = Home['FirstSteps'][number]['Name'];

const words: Record<
  Step,
  {
    title: string;
    sentence: string;
    link?: { label: string; to: '/inbox' | '/contacts'; search: { compose?: true } };
  }
> = {
  textNumber: {
    title: 'Get a text number',
    sentence: 'The number that your texts come from and people answer to.',
  },
  contacts: {
    title: 'Bring in your contacts',
    sentence: 'The people you want to reach, with their phones.',
    link: { label: 'Open contacts', to: '/contacts', search: {} },
  },
  firstText: {
    title: 'Send a first text',
    sentence: 'To yourself, if you like: see how it arrives.',
    link: { label: 'Write one', to: '/inbox', search: { compose: true } },
  },
  firstReply: {
    title: 'Get a first reply',
    sentence: 'Whoever answers your text shows up in the inbox.',
    link: { label: 'Open inbox', to: '/inbox', search: {} },
  },
};

/** What a new organisation does first; gone when all of it is done. */
export function FirstSteps({ steps }: { steps: Home['FirstSteps'] }) {
  const done = steps.filter(({ Completed }) => Completed).length;
  return (
    <Card title="First steps" count={`${done} of ${steps.length}`}>
      <Box component="ol" sx={{ listStyle: 'none', p: 0 }}>
        {steps.map(({ Name, Completed }, index) => (
          <StepRow key={Name} step={Name} number={index + 1} isDone={Completed} />
        ))}
      </Box>
    </Card>
  );
}

function StepRow({ step, number, isDone }: { step: Step; number: number; isDone: boolean }) {
  const { title, sentence, link } = words[step];
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        px: 2.5,
        py: 1.25,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Box
        sx={{
          width: 24,
          height: 24,
          flex: 'none',
          borderRadius: '50%',
          display: 'grid',
          placeItems: 'center',
          typography: 'caption',
          fontWeight: 600,
          border: '1px solid',
          ...(isDone
            ? { bgcolor: 'tint.accent', color: 'tint.accentInk', borderColor: 'tint.accent' }
            : { borderColor: 'line.strong', color: 'text.secondary' }),
        }}
      >
        {isDone ? <Check size={14} strokeWidth={2.5} role="img" aria-label="Done" /> : number}
      </Box>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography sx={{ fontWeight: 550, color: isDone ? 'text.secondary' : 'text.primary' }}>
          {title}
        </Typography>
        {!isDone && (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {sentence}
          </Typography>
        )}
      </Box>
      {!isDone && link && (
        <RouterLink to={link.to} search={link.search}>
          {link.label}
        </RouterLink>
      )}
    </Box>
  );
}
