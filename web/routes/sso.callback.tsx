import { createFileRoute } from '@tanstack/react-router';
import { SsoCallbackPage } from '../auth/sso-callback-page.tsx';

export const Route = createFileRoute('/sso/callback')({ component: SsoCallbackPage });
