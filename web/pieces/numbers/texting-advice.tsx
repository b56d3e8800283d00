import Link from '@mui/material/Link';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { TextNumber } from '../../../contract/numbers.ts';
import { type TextNumberAdvice, textNumberAdvice } from '../../../contract/states/text-number-advice.ts';
import { useAccount, useUser } from '../../queries/current-user.ts';
import { Notice } from '../../ui/notice.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { untilOnline } from '../../ui/until-online.ts';
import { ContactUs } from '../support/contact-us.tsx';
import { weighText } from '../texts/text-rules.ts';

type Advice = Exclude<TextNumberAdvice, 'ready'>;
type Purpose = 'texts' | 'broadcasts';

/** Advice for somebody without a usable number: owners read what to do, all others whom to ask. */
const sentences: Record<Purpose, Record<Advice, string>> = {
  texts: {
    'ask the owner': 'Ask an account owner to give you a text number.',
    'contact support': 'Please contact us to get a text number.',
    'get a broadcast-ready text number': 'None of your text numbers can send texts right now.',
    'get a text number for free': 'You need a text number to send texts. Your trial includes one for free.',
    'set up texting': 'You need a text number to send texts.',
  },
  broadcasts: {
    'ask the owner': 'Ask an account owner to give you a text number that can send broadcasts.',
    'contact support': 'Please contact us to get a text number that can send broadcasts.',
    'get a broadcast-ready text number':
      'None of your text numbers can send broadcasts. You need a broadcast-ready text number.',
    'get a text number for free': 'You need a text number to send texts. Your trial includes one for free.',
    'set up texting': 'You need a text number to send texts.',
  },
};

/** Undefined while a usable number is there, or while nobody knows. */
export function useTextNumberAdvice(
  numbers: readonly TextNumber[] | undefined,
  purpose: Purpose,
): NumberAdvice | undefined {
  const user = useUser();
  const account = useAccount();
  if (!user || !account || !numbers) return undefined;
  // A number that may not send broadcasts may still send texts.
  const usable =
    purpose === 'broadcasts' ? numbers : numbers.map((one) => ({ ...one, CanCreateBroadcast: true }));
  const advice = textNumberAdvice(user, account, usable);
  if (advice === 'ready') return undefined;
  const sentence = sentences[purpose][advice];
  return { sentence, advice, numbers, link: <AdviceLink {...{ sentence, advice, numbers }} /> };
}

interface NumberAdvice {
  sentence: string;
  advice: Advice;
  numbers: readonly TextNumber[];
  link: ReactNode;
}

interface AdviceLinkProps extends Omit<NumberAdvice, 'link'> {
  /** Somebody wanted to go on without a number: the dialog opens by itself. */
  isAsked?: boolean;
}

/** The next step: a dialog that gives the trial's number or says what is wrong with each number, or a page. */
function AdviceLink({ sentence, advice, numbers, isAsked = false }: AdviceLinkProps) {
  const [isOpen, setOpen] = useState(isAsked);
  const [wasAsked, setAsked] = useState(isAsked);
  if (isAsked !== wasAsked) {
    setAsked(isAsked);
    setOpen(isAsked);
  }
  const close = () => setOpen(false);
  // Contact for international accounts.
  if (advice === 'contact support') return <ContactUs isInternational />;
  if (advice === 'set up texting') return <RouterLink to="/text-setup">Set up texting</RouterLink>;
  if (advice === 'get a text number for free') {
    return (
      <>
        <OpenLink onOpen={() => setOpen(true)}>Get a text number for free</OpenLink>
        <Suspense>{isOpen && <FreeNumberDialog isOpen onClose={close} />}</Suspense>
      </>
    );
  }
  if (numbers.length === 0) return null;
  return (
    <>
      <OpenLink onOpen={() => setOpen(true)}>See why</OpenLink>
      <Suspense>
        {isOpen && <UnusableNumbersDialog isOpen {...{ numbers, sentence }} onClose={close} />}
      </Suspense>
    </>
  );
}

function OpenLink({ onOpen, children }: { onOpen: () => void; children: ReactNode }) {
  return (
    <Link component="button" type="button" onClick={onOpen}>
      {children}
    </Link>
  );
}

// Most people have a number.
const FreeNumberDialog = lazy(
  untilOnline(async () => ({ default: (await import('./free-number-form.tsx')).FreeNumberDialog })),
);
const UnusableNumbersDialog = lazy(
  untilOnline(async () => ({
    default: (await import('./unusable-numbers-dialog.tsx')).UnusableNumbersDialog,
  })),
);

/** Undefined while there are credits, and where texts from this number take none. */
export function useCreditAdvice(number?: TextNumber | undefined): string | undefined {
  const user = useUser();
  const account = useAccount();
  if (!user || !account || account.AvailableCallUnits > 0) return undefined;
  if (weighText('', { account, number, pictures: 0 }).credits === 0) return undefined;
  return user.IsMasterUser
    ? 'Your organization has no credits. You need credits to send texts. Ask your Muster administrator to add some.'
    : 'Your organization has no credits. You need credits to send texts. Ask an account owner to add some.';
}

/** Instead of choosing a number, where there is none to choose. */
export function TextNumberAdviceNotice({
  advice,
  isAsked = false,
}: {
  advice: NumberAdvice;
  isAsked?: boolean;
}) {
  const { link: _link, ...given } = advice;
  return (
    <Notice kind="warning">
      {advice.sentence} <AdviceLink {...given} isAsked={isAsked} />
    </Notice>
  );
}
