import { createFileRoute } from '@tanstack/react-router';
import { SsoPage } from '../auth/sso-page.tsx';

export const Route = createFileRoute('/login_/sso')({ component: SsoPage });
