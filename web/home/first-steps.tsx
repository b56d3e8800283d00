import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Check } from 'lucide-react';
import { useCan, useUser } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import type { Home } from './home-page.tsx';

type Steps = Home['FirstSteps'];
type Step = Steps[number]['Name'];

interface StepWords {
  title: string;
  sentence: string;
  link?: {
    label: string;
    to: '/inbox' | '/contacts' | '/text-setup' | '/settings/billing';
    search: { compose?: true; open?: 'credits' };
    needs?: 'createConversation' | 'setUpTexting' | 'buyCredits';
  };
}

/** Users who can't take a step are told who can. No step links to a page where nothing can be done yet. */
function wordsOf(isOwner: boolean, steps: Steps): Record<Step, StepWords> {
  const isDone = (step: Step) => steps.some(({ Name, Completed }) => Name === step && Completed);
  const hasNumber = steps.some(({ Name, Started }) => Name === 'textNumber' && Started);
  const canText = isDone('textNumber') && isDone('credits');
  return {
    textNumber: {
      ...(hasNumber ? registerWords(isOwner) : numberWords(isOwner)),
      link: { label: 'Set up texting', to: '/text-setup', search: {}, needs: 'setUpTexting' },
    },
    credits: {
      title: 'Get credits',
      sentence: isOwner
        ? 'Credits pay for your texts.'
        : 'Credits pay for your texts. Ask an account owner to add some.',
      link: {
        label: 'Buy credits',
        to: '/settings/billing',
        search: { open: 'credits' },
        needs: 'buyCredits',
      },
    },
    contacts: {
      title: 'Add your contacts',
      sentence: 'The people you want to reach and their phone numbers.',
      link: { label: 'Open contacts', to: '/contacts', search: {} },
    },
    firstText: {
      title: 'Send your first text',
      sentence: canText
        ? 'Try it on yourself to see how it arrives.'
        : hasNumber
          ? 'You need a registered text number and credits first.'
          : 'You need a text number and credits first.',
      ...(canText && {
        link: {
          label: 'Write a text',
          to: '/inbox',
          search: { compose: true },
          needs: 'createConversation',
        },
      }),
    },
    firstReply: {
      title: 'Get your first reply',
      sentence: 'Replies to your text show up in the inbox.',
      ...(isDone('firstText') ? { link: { label: 'Open inbox', to: '/inbox', search: {} } } : {}),
    },
  };
}

function numberWords(isOwner: boolean): Pick<StepWords, 'title' | 'sentence'> {
  return {
    title: 'Get a text number',
    sentence: isOwner
      ? 'Your texts come from this number, and replies come back to it.'
      : 'Your texts come from this number, and replies come back to it. Ask an account owner to give you one.',
  };
}

/** There is a number that can't text yet. */
function registerWords(isOwner: boolean): Pick<StepWords, 'title' | 'sentence'> {
  return {
    title: 'Register your text number',
    sentence: isOwner
      ? 'Carriers take texts from your number once they know who is texting.'
      : 'Carriers take texts from your number once they know who is texting. An account owner registers it.',
  };
}

/** A checklist for a new organization. It disappears once everything is done. */
export function FirstSteps({ steps }: { steps: Steps }) {
  const isOwner = useUser()?.IsMasterUser ?? false;
  const done = steps.filter(({ Completed }) => Completed).length;
  const words = wordsOf(isOwner, steps);
  return (
    <Card title="First steps" count={`${done} of ${steps.length}`}>
      <Box component="ol" sx={{ listStyle: 'none', p: 0 }}>
        {steps.map(({ Name, Completed }, index) => (
          <StepRow key={Name} words={words[Name]} number={index + 1} isDone={Completed} />
        ))}
      </Box>
    </Card>
  );
}

function StepRow({ words, number, isDone }: { words: StepWords; number: number; isDone: boolean }) {
  const { title, sentence, link } = words;
  const isOpen = useCan(link?.needs ?? 'useMuster');
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
      {!isDone && link && isOpen && (
        <RouterLink to={link.to} search={link.search}>
          {link.label}
        </RouterLink>
      )}
    </Box>
  );
}
