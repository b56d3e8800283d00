import { createFileRoute } from '@tanstack/react-router';
import { NotFoundPage } from '../../shell/not-found-page.tsx';

/** Any other address. The navigation stays, so that people can continue from there. */
export const Route = createFileRoute('/_app/$')({ component: NotFoundPage });
