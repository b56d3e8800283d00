import type { ReactNode } from 'react';
import type { TextNumber } from '../../../contract/numbers.ts';
import { type TextNumberAdvice, textNumberAdvice } from '../../../contract/states/text-number-advice.ts';
import { useAccount, useUser } from '../../queries/current-user.ts';
import { Notice } from '../../ui/notice.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { ContactUs } from '../support/contact-us.tsx';
import { weighText } from '../texts/text-rules.ts';

type Advice = Exclude<TextNumberAdvice, 'ready'>;
type Purpose = 'texts' | 'broadcasts';

/** What somebody without a usable number is told: owners what to do, all others whom to ask. */
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

/** Where an owner goes from here: the list of numbers with the state of each, or the first number. */
const leadsTo: Partial<Record<Advice, { to: '/settings/text' | '/text-setup'; label: string }>> = {
  'get a broadcast-ready text number': { to: '/settings/text', label: 'See your text numbers' },
  'get a text number for free': { to: '/text-setup', label: 'Get a text number for free' },
  'set up texting': { to: '/text-setup', label: 'Set up texting' },
};

/** Undefined while a usable number is there, or while nobody knows. */
export function useTextNumberAdvice(
  numbers: readonly TextNumber[] | undefined,
  purpose: Purpose,
): { sentence: string; link: ReactNode } | undefined {
  const user = useUser();
  const account = useAccount();
  if (!user || !account || !numbers) return undefined;
  // What may send no broadcasts may still send texts.
  const usable =
    purpose === 'broadcasts' ? numbers : numbers.map((one) => ({ ...one, CanCreateBroadcast: true }));
  const advice = textNumberAdvice(user, account, usable);
  if (advice === 'ready') return undefined;
  return {
    sentence: sentences[purpose][advice],
    link: linkOf(advice),
  };
}

function linkOf(advice: Advice): ReactNode {
  // Whom international accounts turn to.
  if (advice === 'contact support') return <ContactUs isInternational />;
  const lead = leadsTo[advice];
  return lead && <RouterLink to={lead.to}>{lead.label}</RouterLink>;
}

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
export function TextNumberAdviceNotice({ advice }: { advice: { sentence: string; link: ReactNode } }) {
  return (
    <Notice kind="warning">
      {advice.sentence} {advice.link}
    </Notice>
  );
}
