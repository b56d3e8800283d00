import Typography from '@mui/material/Typography';
import { RouterLink } from '../ui/router-link.tsx';
import { said } from '../ui/said.ts';
import { SignInFrame } from './sign-in-frame.tsx';

/** Says what the installation keeps and who gets it, if the operator has no policy elsewhere. */
export function PrivacyPage({ text }: { text: string }) {
  return (
    <SignInFrame title="Privacy policy" sentence="The data kept here, and who gets it.">
      <Typography sx={{ whiteSpace: 'pre-line', mb: 3 }}>{said(text)}</Typography>
      <RouterLink to="/login">Go to sign in</RouterLink>
    </SignInFrame>
  );
}
