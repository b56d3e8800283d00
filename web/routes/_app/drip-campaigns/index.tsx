import { createFileRoute } from '@tanstack/react-router';
import { DripsPage } from '../../../broadcasts/drips/drips-page.tsx';

export const Route = createFileRoute('/_app/drip-campaigns/')({ component: DripsPage });
