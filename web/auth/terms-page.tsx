import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { getTerms } from '../../contract/addresses/onboarding.gen.ts';
import type { Reply } from '../../contract/call.ts';
import { PrivacyLink } from '../pieces/support/privacy-link.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { said } from '../ui/said.ts';
import { SignInFrame } from './sign-in-frame.tsx';

/** The terms of use, for everybody. */
export function TermsPage({ terms }: { terms: Reply<typeof getTerms> }) {
  return (
    <SignInFrame title="Terms of use" sentence={`Version: ${terms.Version}`}>
      <Typography sx={{ whiteSpace: 'pre-line', mb: 3 }}>{said(terms.Text)}</Typography>
      <Box sx={{ display: 'flex', gap: 2 }}>
        <RouterLink to="/login">Go to sign in</RouterLink>
        <PrivacyLink url={terms.PrivacyUrl} />
      </Box>
    </SignInFrame>
  );
}
