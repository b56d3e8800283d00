import { createFileRoute } from '@tanstack/react-router';
import { VoiceSettingsPage } from '../../../settings/voice/voice-settings-page.tsx';

export const Route = createFileRoute('/_app/settings/voice')({ component: VoiceSettingsPage });
