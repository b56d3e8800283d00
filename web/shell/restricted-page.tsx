import Box from '@mui/material/Box';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CapabilityName } from '../../contract/permissions.ts';
import { ContactUs } from '../pieces/support/contact-us.tsx';
import { useWhyNot } from '../queries/current-user.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { RouterButton } from '../ui/router-button.tsx';
import { say } from '../ui/say.ts';
import { usePageElement } from './in-shell.ts';

interface OnlyForProps {
  capability: CapabilityName | readonly [CapabilityName, CapabilityName];
  children: ReactNode;
}

/** A page for users with the capability, or with one of two. Others see the reason in the spec's words. */
export function OnlyFor({ capability, children }: OnlyForProps) {
  const [first, second] = typeof capability === 'string' ? [capability, capability] : capability;
  const [denial, otherDenial] = [useWhyNot(first), useWhyNot(second)];
  return denial === undefined || otherDenial === undefined ? children : <RestrictedPage sentence={denial} />;
}

function RestrictedPage({ sentence }: { sentence: string }) {
  const page = usePageElement();
  usePageTitle(say('Restricted'));
  return (
    <Box {...page} sx={{ flex: 1, display: 'grid', placeItems: 'center', minHeight: '60vh' }}>
      <EmptyState
        icon={Lock}
        titleComponent="h1"
        title={sentence}
        // "… please contact us."
        {...(sentence.includes('contact us') && { children: <ContactUs /> })}
        action={
          <RouterButton to="/home" variant="contained" color="primary">
            Go to Home
          </RouterButton>
        }
      />
    </Box>
  );
}
