import type { ServerResponse } from 'node:http';
import { sendJson } from './http.ts';
import type { Violation } from './infobip-check.ts';

const actions: Readonly<Record<string, readonly [string, string]>> = {
  E400: ['Request cannot be processed.', 'Check the syntax, violations and adjust the request.'],
  E401: [
    'The request lacks valid authentication credentials.',
    'Check the resources and adjust authentication.',
  ],
  E404: ['Requested path does not exist.', 'Check the path and adjust the request.'],
  E429: ['Too many requests.', 'Wait before you send the request again.'],
  E500: ['Something went wrong.', 'Send the request again, or contact support.'],
};

export function sendInfobipError(
  response: ServerResponse,
  status: 400 | 401 | 404 | 413 | 429 | 500,
  violations: readonly Violation[] = [],
): void {
  const errorCode = status === 413 ? 'E400' : `E${status}`;
  const [description, action] = actions[errorCode] ?? ['', ''];
  sendJson(response, status, { errorCode, description, action, violations, resources: [] });
}
