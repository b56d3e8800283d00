import { createFileRoute } from '@tanstack/react-router';
import { SetupPage } from '../auth/setup-page.tsx';

export const Route = createFileRoute('/setup')({ component: SetupPage });
