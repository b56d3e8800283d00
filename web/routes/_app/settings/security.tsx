import { createFileRoute } from '@tanstack/react-router';
import { SecurityPage } from '../../../settings/security/security-page.tsx';

export const Route = createFileRoute('/_app/settings/security')({ component: SecurityPage });
