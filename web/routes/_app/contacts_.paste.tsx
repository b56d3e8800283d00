import { createFileRoute } from '@tanstack/react-router';
import { PastePage } from '../../imports/paste/paste-page.tsx';

export const Route = createFileRoute('/_app/contacts_/paste')({ component: PastePage });
