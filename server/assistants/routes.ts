import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { admitKey } from '../keys/admit-key.ts';
import { type App, addressOf } from '../serve.ts';
import { offerTools } from './offer-tools.ts';

/** The introduction of this server for assistants. */
const instructions =
  'Muster texts and calls everybody an organization knows. You can find contacts, read results and prepare broadcasts. You can’t send anything: give the person the link to the draft, where they check it and press Send.';

/** A tool's input is a few ids and a text. */
const mostBytes = 64 * 1024;

/**
 * The MCP server for AI assistants. Requests are independent of each other, and each brings an API key; each
 * tool makes the calls that the key could make itself, so its scopes, limits and addresses apply, and the
 * audit log names it.
 */
export function assistantRoutes(app: App): void {
  app.http.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    bodyLimit: mostBytes,
    config: { callName: 'mcp' },
    handler: async (request, reply) => {
      const actor = await admitKey(app, request, reply, addressOf(request));
      request.actor = actor;
      const handler = createMcpHandler(
        () => {
          const server = new McpServer(
            { name: 'muster', title: 'Muster', version: '1.0.0' },
            { instructions },
          );
          offerTools(server, { app, request, scopes: actor.scopes });
          return server;
        },
        // The server sends no notifications, so clients don't need to listen.
        { maxSubscriptions: 0 },
      );
      return pass(await handler.fetch(toWebRequest(app, request)), reply);
    },
  });
}

function toWebRequest({ config }: App, request: FastifyRequest): Request {
  const headers = new Headers();
  for (const name of [
    'accept',
    'content-type',
    'mcp-protocol-version',
    'mcp-session-id',
    'mcp-method',
    'mcp-name',
  ]) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const body = Buffer.isBuffer(request.body) ? request.body : undefined;
  return new Request(`${config.PUBLIC_URL}/mcp`, {
    method: request.method,
    headers,
    ...(request.method === 'POST' ? { body: new Uint8Array(body ?? []) } : {}),
  });
}

function pass(answer: Response, reply: FastifyReply): FastifyReply {
  reply.code(answer.status).header('cache-control', 'no-store');
  for (const name of ['content-type', 'allow', 'mcp-protocol-version']) {
    const value = answer.headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  return reply.send(answer.body === null ? '' : Readable.fromWeb(answer.body as ReadableStream));
}
