import { createFileRoute } from '@tanstack/react-router';
import { listFiles } from '../../../contract/addresses/imports.gen.ts';
import { StartPage } from '../../imports/start-page.tsx';
import { callQuery } from '../../queries/calls.ts';
import { queryClient } from '../../queries/query-client.ts';

export const Route = createFileRoute('/_app/contacts_/import/')({
  loader: () => void queryClient.prefetchQuery(callQuery(listFiles)),
  component: StartPage,
});
