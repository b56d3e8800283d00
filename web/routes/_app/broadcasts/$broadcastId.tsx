import { createFileRoute, redirect } from '@tanstack/react-router';
import { broadcastParams } from '../../../broadcasts/broadcast-address.ts';

/** The short address of a broadcast: redirects to its results. */
export const Route = createFileRoute('/_app/broadcasts/$broadcastId')({
  params: broadcastParams,
  beforeLoad: ({ params: { broadcastId } }) => {
    throw redirect({
      to: '/broadcast-details/$broadcastId',
      params: { broadcastId },
      search: {},
      replace: true,
    });
  },
});
