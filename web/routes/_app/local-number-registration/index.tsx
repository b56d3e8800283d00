import { createFileRoute } from '@tanstack/react-router';
import { LandingPage } from '../../../registration/landing-page.tsx';

export const Route = createFileRoute('/_app/local-number-registration/')({ component: LandingPage });
