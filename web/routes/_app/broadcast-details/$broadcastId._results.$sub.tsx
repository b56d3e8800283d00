import { createFileRoute } from '@tanstack/react-router';

/** The last part of the path is the tab. */
export const Route = createFileRoute('/_app/broadcast-details/$broadcastId/_results/$sub')({});
