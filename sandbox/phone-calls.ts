// Calls as the telephone sees them: what rings, what is heard, and what somebody does about it.
import { type Call, isOver, secondsBetween } from './call.ts';
import { twimlScript } from './call-flow.ts';
import type { Carrier } from './carrier.ts';
import { type ControlCall, readHandset, readJson } from './control.ts';
import { BadRequest, send, sendJson } from './http.ts';
import { formatNumber, parseCarrierNumber } from './numbers.ts';
import { DocumentError } from './twiml.ts';
import { useByHand } from './use-by-hand.ts';

type CallState = 'Ringing' | 'InCall' | 'Voicemail' | 'Ended';

function stateOf(call: Call): CallState {
  if (isOver(call)) return 'Ended';
  if (call.pickedUpBy === 'Machine') return 'Voicemail';
  return call.answeredAt > 0 ? 'InCall' : 'Ringing';
}

const moment = (ms: number) => (ms > 0 ? new Date(ms).toISOString() : null);
const tenths = (seconds: number) => Math.round(seconds * 10) / 10;

function composeCall(carrier: Carrier, call: Call) {
  const now = Date.now();
  const { exchange } = carrier;
  const line = exchange.lines.get(call.sid);
  return {
    CallID: call.sid,
    From: call.from,
    To: call.to,
    Direction: call.direction === 'inbound' ? 'out' : 'in',
    State: stateOf(call),
    Result: call.result ?? null,
    Heard: call.heard
      .filter(({ source }) => !('tone' in source))
      .map(({ at, length, seconds, text, source, into }) => ({
        At: moment(at),
        Seconds: tenths(seconds ?? Math.min(length, secondsBetween(call, at, now))),
        ...(text !== undefined && { Text: text }),
        Length: tenths(length),
        Playing: seconds === undefined,
        Into: into,
        Sound: `/sounds/${exchange.sounds.register(source)}`,
      })),
    Keys: call.keys,
    StartedAt: moment(call.startedAt),
    AnsweredAt: moment(call.answeredAt),
    EndedAt: moment(call.endedAt),
    Voicemail: composeVoicemail(call, now, carrier),
    Connected: line?.peer?.call.sid ?? null,
    Recording: line?.recorder !== undefined,
    // After this many rings PicksUp happens, if nobody takes the call.
    Rings: line?.rings ?? null,
    PicksUp: line?.rings === undefined ? null : line.person.picksUp,
    Events: call.events.map(({ at, text }) => ({ At: moment(at), Text: text })),
    Troubles: call.troubles.map(({ code, message }) => ({ Code: code, Message: message })),
    Provider: call.provider,
  };
}

/** The message on a machine: everything that was played after its beep. */
function composeVoicemail(call: Call, now: number, carrier: Carrier) {
  if (call.mailboxFrom === 0) return null;
  const parts = [];
  let total = 0;
  for (const { at, length, seconds, text, source } of call.heard) {
    const played = seconds ?? Math.min(length, secondsBetween(call, at, now));
    const skipped = Math.max(0, secondsBetween(call, at, call.mailboxFrom));
    if (played - skipped < 0.1) continue;
    total += played - skipped;
    parts.push({
      Sound: `/sounds/${carrier.exchange.sounds.register(source)}`,
      From: tenths(skipped),
      Seconds: tenths(played - skipped),
      ...(text !== undefined && { Text: text }),
    });
  }
  return { At: moment(call.mailboxFrom), Seconds: tenths(total), Parts: parts };
}

export function listCalls({ carrier, response, parameter }: ControlCall): void {
  // A call that is still being put through has not reached the telephone.
  const calls = carrier.exchange.callsOf(readHandset(parameter)).filter(({ status }) => status !== 'queued');
  sendJson(response, 200, { Items: calls.map((call) => composeCall(carrier, call)) });
}

function findCall(carrier: Carrier, rawNumber: string, id: string): Call {
  const call = carrier.exchange.callsOf(readHandset(rawNumber)).find(({ sid }) => sid === id);
  if (!call) throw new BadRequest('There is no such call on this telephone.', 404);
  return call;
}

export function getCall({ carrier, response, parameter, second }: ControlCall): void {
  sendJson(response, 200, composeCall(carrier, findCall(carrier, parameter, second)));
}

export async function useCall({ carrier, request, response, parameter, second }: ControlCall): Promise<void> {
  const body = await readJson(request);
  const call = findCall(carrier, parameter, second);
  const keys = body.Keys ?? '';
  if (typeof body.Do !== 'string') {
    throw new BadRequest('Do must be Answer, Voicemail, Busy, HangUp, Press or LetItRing.');
  }
  if (typeof keys !== 'string') throw new BadRequest('Keys must be digits, * or #.');
  useByHand(carrier.exchange, call, body.Do, keys);
  sendJson(response, 200, composeCall(carrier, call));
}

/** Somebody dials one of Muster's numbers. */
export async function dialNumber({ carrier, request, response, parameter }: ControlCall): Promise<void> {
  const from = readHandset(parameter);
  const body = await readJson(request);
  const to = typeof body.To === 'string' ? parseCarrierNumber(body.To) : undefined;
  if (to === undefined) throw new BadRequest('To must be the number to call.');
  const served = carrier.numbers.get(to);
  if (!served) throw new BadRequest(`Nobody answers at ${formatNumber(to)}: no carrier serves it.`, 409);
  const url = served.voiceUrl ?? carrier.config.twilioVoiceUrl;
  if (url === undefined) {
    throw new BadRequest(
      `There is no address for calls to ${formatNumber(to)}: set TWILIO_VOICE_URL, or its VoiceUrl.`,
      409,
    );
  }
  const { exchange } = carrier;
  if (exchange.callsOf(from).some((each) => !isOver(each))) {
    throw new BadRequest('This telephone is in a call already.', 409);
  }
  const call = exchange.dialIn(from, to, twimlScript({ url, method: 'POST' }));
  sendJson(response, 201, composeCall(carrier, call));
}

export async function sendSound({ carrier, response, parameter }: ControlCall): Promise<void> {
  try {
    const sound = await carrier.exchange.sounds.find(parameter);
    if (!sound) throw new BadRequest('There is no such sound.', 404);
    send(response, 200, sound.contentType, sound.bytes);
  } catch (error) {
    if (error instanceof DocumentError) throw new BadRequest(error.message, 404);
    throw error;
  }
}
