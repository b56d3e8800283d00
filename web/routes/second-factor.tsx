import { createFileRoute } from '@tanstack/react-router';
import { SetUpFactorPage } from '../auth/set-up-factor-page.tsx';

export const Route = createFileRoute('/second-factor')({ component: SetUpFactorPage });
