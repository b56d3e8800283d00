import { createFileRoute } from '@tanstack/react-router';
import { AutomationPage } from '../../../automation/automation-page.tsx';

export const Route = createFileRoute('/_app/automation/')({ component: AutomationPage });
