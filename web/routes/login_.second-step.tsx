import { createFileRoute } from '@tanstack/react-router';
import { SecondStepPage } from '../auth/second-step-page.tsx';

export const Route = createFileRoute('/login_/second-step')({ component: SecondStepPage });
