import type { IncomingMessage, ServerResponse } from 'node:http';

/** A reader that stops reading for this long has disconnected, or blocks resources that others need. */
export const stalledMs = 60_000;

/**
 * Ends a reply whose reader stops reading for this long. A slow reader may continue, and so may a reply that
 * takes time to generate: only bytes that wait for their reader count.
 */
export function cutOffStalledReader(response: ServerResponse, stalledMs: number): void {
  let lastWaiting = 0;
  let checksWithoutProgress = 0;
  const checks = 4;
  let hasDrained = false;
  const onDrain = () => {
    hasDrained = true;
  };
  const timer = setInterval(() => {
    const waiting = response.writableLength;
    const isStalled = waiting > 0 && waiting === lastWaiting && !hasDrained;
    checksWithoutProgress = isStalled ? checksWithoutProgress + 1 : 0;
    lastWaiting = waiting;
    hasDrained = false;
    if (checksWithoutProgress >= checks) response.destroy();
  }, stalledMs / checks);
  response.on('drain', onDrain);
  response.once('close', () => {
    clearInterval(timer);
    response.off('drain', onDrain);
  });
}

/** Ends a request whose body is not complete within this time. */
export function cutOffSlowBody(request: IncomingMessage, bodyMs: number): void {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return;
  const timer = setTimeout(() => request.destroy(), bodyMs);
  request.once('end', () => clearTimeout(timer));
  request.once('close', () => clearTimeout(timer));
}
