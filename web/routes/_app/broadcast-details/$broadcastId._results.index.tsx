import { createFileRoute } from '@tanstack/react-router';

export const Route = createFileRoute('/_app/broadcast-details/$broadcastId/_results/')({});
