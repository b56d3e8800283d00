import { createFileRoute } from '@tanstack/react-router';
import { TooManyAttemptsPage } from '../auth/too-many-attempts-page.tsx';

export const Route = createFileRoute('/login_/too-many-attempts')({ component: TooManyAttemptsPage });
