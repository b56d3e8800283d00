import { createFileRoute } from '@tanstack/react-router';
import { NotFoundPage } from '../../shell/not-found-page.tsx';

/** Any other address: the navigation stays, so that one can go on from there. */
export const Route = createFileRoute('/_app/$')({ component: NotFoundPage });
