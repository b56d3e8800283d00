import { createFileRoute } from '@tanstack/react-router';
import { TextSetupPage } from '../../registration/text-setup-page.tsx';

export const Route = createFileRoute('/_app/text-setup')({ component: TextSetupPage });
