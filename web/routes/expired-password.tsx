import { createFileRoute } from '@tanstack/react-router';
import { ExpiredPasswordPage } from '../auth/expired-password-page.tsx';

export const Route = createFileRoute('/expired-password')({ component: ExpiredPasswordPage });
