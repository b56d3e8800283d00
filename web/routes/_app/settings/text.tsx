import { createFileRoute } from '@tanstack/react-router';
import { TextSettingsPage } from '../../../settings/text-settings-page.tsx';

export const Route = createFileRoute('/_app/settings/text')({ component: TextSettingsPage });
