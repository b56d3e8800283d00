import { createFileRoute } from '@tanstack/react-router';
import { UnsupportedBrowserPage } from '../auth/unsupported-browser-page.tsx';

export const Route = createFileRoute('/unsupported-browser')({ component: UnsupportedBrowserPage });
