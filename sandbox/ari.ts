// Asterisk's REST interface (ARI), the part that Muster speaks: channels that call, play, record and are connected, and the
// WebSocket that tells what happens in them. The dialplan is the one in deploy/asterisk.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AriExchange } from './ari-channels.ts';
import type { Carrier } from './carrier.ts';
import { delayAnswer, drawFault } from './faults.ts';
import { isRecord, readBody, send, sendJson } from './http.ts';
import { parseCarrierNumber } from './numbers.ts';
import { findRecording } from './recordings.ts';
import { acceptSocket, composeFrame, opcodes, readFrames } from './sound-socket.ts';

export const isAriPath = (path: string) => path.startsWith('/ari/');

type Arrival = { request: IncomingMessage; response: ServerResponse; path: string; hold: () => void };

const exchanges = new WeakMap<Carrier, AriExchange>();

function ariOf(carrier: Carrier): AriExchange {
  let ari = exchanges.get(carrier);
  if (!ari) {
    ari = new AriExchange(carrier);
    exchanges.set(carrier, ari);
  }
  return ari;
}

function isKnown(carrier: Carrier, request: IncomingMessage): boolean {
  const { asteriskUser, asteriskPassword } = carrier.config;
  const basic = Buffer.from(`${asteriskUser}:${asteriskPassword}`).toString('base64');
  return request.headers.authorization === `Basic ${basic}`;
}

export async function serveAri(carrier: Carrier, { request, response, path, hold }: Arrival): Promise<void> {
  const ari = ariOf(carrier);
  const sends = request.method === 'POST' && path === '/ari/channels';
  const fault = drawFault(carrier.faults, carrier.random, { provider: 'asterisk', channel: 'calls', sends });
  if (fault === 'reset') {
    // A machine that is gone has no sockets either.
    ari.cutSockets();
    request.socket.resetAndDestroy();
    return;
  }
  const body = parseJson(await readBody(request));
  if (fault === 'holdBefore') return hold();
  const answer = answerOf(carrier, ari, { request, path, body, fault });
  if (fault === 'holdAfter') return hold();
  if (fault === 'resetAfter') {
    request.socket.resetAndDestroy();
    return;
  }
  if (sends) await delayAnswer(carrier.faults, 'asterisk', 'calls');
  const { status, json, wav } = answer;
  if (wav !== undefined) send(response, status, 'audio/wav', wav);
  else if (json === undefined) response.writeHead(status).end();
  else sendJson(response, status, json);
}

interface Answer {
  status: number;
  json?: unknown;
  wav?: Buffer;
}

const refuse = (status: number, message: string): Answer => ({ status, json: { message } });
const done = (isDone: boolean, status = 204): Answer =>
  isDone ? { status } : refuse(404, 'Channel not found');

function answerOf(
  carrier: Carrier,
  ari: AriExchange,
  {
    request,
    path,
    body,
    fault,
  }: { request: IncomingMessage; path: string; body: Record<string, unknown>; fault: string | undefined },
): Answer {
  if (!isKnown(carrier, request)) return refuse(401, 'Authentication required');
  if (fault === 'tooMany') return refuse(503, 'Asterisk is not ready');
  if (fault === 'serverError') return refuse(500, 'Internal server error');
  const method = request.method ?? 'GET';
  const query = new URL(request.url ?? '/', 'http://sandbox').searchParams;
  const [kind = '', first = '', verb = '', second = ''] = path
    .slice('/ari/'.length)
    .split('/')
    .map(decodeURIComponent);
  const route = `${method} ${kind}${first === '' ? '' : '/id'}${verb === '' ? '' : `/${verb}`}`;
  const text = (name: string) => query.get(name) ?? '';
  if (kind === 'recordings')
    return answerRecordings(carrier, { method, name: verb, isFile: second === 'file' });
  switch (route) {
    case 'POST channels':
      return originate(carrier, ari, body);
    case 'GET channels':
      return { status: 200, json: ari.list() };
    case 'GET channels/id': {
      const channel = ari.find(first);
      return channel ? { status: 200, json: channel } : refuse(404, 'Channel not found');
    }
    case 'DELETE channels/id':
      return done(ari.hangUp(first));
  }
  if (kind === 'playbacks') {
    if (method === 'DELETE') return done(ari.stopPlayback(first));
    return ari.isPlaying(first)
      ? { status: 200, json: { id: first, media_uri: '', target_uri: '', language: 'en', state: 'playing' } }
      : refuse(404, 'Playback not found');
  }
  if (kind === 'bridges') {
    if (route === 'POST bridges/id') return { status: 200, json: ari.createBridge(first) };
    if (route === 'POST bridges/id/addChannel') return done(ari.connect(first, text('channel').split(',')));
    if (route === 'DELETE bridges/id') return done(ari.deleteBridge(first));
  }
  if (kind !== 'channels' || !ari.find(first)) return refuse(404, 'Channel not found');
  if (!ari.isInStasis(first) && method === 'POST') return refuse(409, 'Channel not in Stasis application');
  switch (route) {
    case 'POST channels/id/continue':
      return done(ari.continueAt(first, text('context'), text('extension')));
    case 'POST channels/id/play':
      return { status: 201, json: ari.play(first, second || text('playbackId'), text('media').split(',')) };
    case 'POST channels/id/record':
      return {
        status: 201,
        json: ari.record(first, text('name'), {
          mostSeconds: Number(text('maxDurationSeconds')) || 3600,
          endKeys: text('terminateOn'),
        }),
      };
    case 'POST channels/id/variable':
      return done(ari.setVariable(first, text('variable'), text('value')));
    case 'GET channels/id/variable': {
      const value = ari.readVariable(first, text('variable'));
      return value === undefined
        ? refuse(404, 'Provided variable was not found')
        : { status: 200, json: { value } };
    }
  }
  return refuse(404, 'Resource not found');
}

function parseJson(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8') || '{}');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

const originateNames = new Set([
  'endpoint',
  'app',
  'appArgs',
  'callerId',
  'timeout',
  'channelId',
  'originator',
  'formats',
]);

function originate(carrier: Carrier, ari: AriExchange, body: Record<string, unknown>): Answer {
  const odd = Object.keys(body).find((name) => !originateNames.has(name));
  if (odd !== undefined) return refuse(400, `${odd} is not played here`);
  const { endpoint, app, appArgs = '', callerId = '', channelId, originator } = body;
  if (typeof endpoint !== 'string' || typeof app !== 'string')
    return refuse(400, 'Endpoint must be specified');
  if (typeof channelId !== 'string' || channelId === '') return refuse(400, 'channelId must be given here');
  if (ari.find(channelId)) return refuse(409, 'Channel with given unique ID already exists');
  const to = parseCarrierNumber(/^PJSIP\/([^@]+)@trunk$/.exec(endpoint)?.[1] ?? '');
  if (to === undefined) return { status: 500, json: { error: 'Allocation failed' } };
  const from = parseCarrierNumber(String(callerId)) ?? '';
  const timeoutSeconds = Number(body.timeout ?? 30);
  const channel = ari.originate({
    id: channelId,
    app,
    args: String(appArgs),
    from,
    to,
    timeoutSeconds,
    originator: typeof originator === 'string' ? originator : undefined,
  });
  carrier.events.figuresChanged();
  return { status: 200, json: channel };
}

function answerRecordings(
  carrier: Carrier,
  { method, name, isFile }: { method: string; name: string; isFile: boolean },
): Answer {
  const ari = ariOf(carrier);
  const sid = ari.recordings.get(name);
  const recording = sid === undefined ? undefined : findRecording(carrier.exchange, sid);
  if (!recording) return refuse(404, 'Recording not found');
  if (method === 'DELETE') {
    ari.recordings.delete(name);
    return { status: 204 };
  }
  return isFile ? { status: 200, wav: recording.wav } : { status: 200, json: { name, format: 'wav' } };
}

/** Answers who asks for the events of an application, or cuts the connection. */
export function openAriSocket(carrier: Carrier, request: IncomingMessage, socket: Duplex): void {
  const url = new URL(request.url ?? '/', 'http://sandbox');
  const app = url.searchParams.get('app') ?? '';
  const key = request.headers['sec-websocket-key'];
  const isHere = url.pathname === '/ari/events' && app !== '' && typeof key === 'string';
  if (!isHere || !isKnown(carrier, request) || carrier.faults.Outage) {
    socket.end(`HTTP/1.1 ${isHere ? '401 Unauthorized' : '404 Not Found'}\r\nConnection: close\r\n\r\n`);
    return;
  }
  acceptSocket(socket, key);
  const ari = ariOf(carrier);
  const unregister = ari.register(app, {
    send: (event) => socket.write(composeFrame(opcodes.text, Buffer.from(JSON.stringify(event)))),
    cut: () => socket.destroy(),
  });
  readFrames(socket, () => {
    unregister();
    socket.destroy();
  });
}
