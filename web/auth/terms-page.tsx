import Typography from '@mui/material/Typography';
import type { getTerms } from '../../contract/addresses/onboarding.gen.ts';
import type { Reply } from '../../contract/call.ts';
import { RouterLink } from '../ui/router-link.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** The terms of use, for everybody. */
export function TermsPage({ terms }: { terms: Reply<typeof getTerms> }) {
  return (
    <SignInFrame title="Terms of use" sentence={`Version: ${terms.Version}`}>
      <Typography sx={{ whiteSpace: 'pre-line', mb: 3 }}>{terms.Text}</Typography>
      <RouterLink to="/login">Go to sign in</RouterLink>
    </SignInFrame>
  );
}
