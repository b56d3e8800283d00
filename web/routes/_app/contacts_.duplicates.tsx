import { createFileRoute } from '@tanstack/react-router';
import { DuplicatesPage } from '../../contacts/duplicates-page.tsx';

export const Route = createFileRoute('/_app/contacts_/duplicates')({ component: DuplicatesPage });
