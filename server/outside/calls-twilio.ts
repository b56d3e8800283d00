import { toStorableText } from '../../contract/text/storable-text.ts';
import { now } from '../clock.ts';
import type {
  AnsweredBy,
  CallEnd,
  CallNews,
  CallProvider,
  DoubtfulCall,
  OutboundCall,
  Placed,
  SeenCall,
} from './calls.ts';
import { type Hook, HookRefused } from './carrier.ts';
import { type CarrierLine, type Exchange, isRecord, openCarrierLine, parseObject } from './carrier-line.ts';
import { readCarrierPhone } from './carrier-phone.ts';
import { createMediaFetcher } from './fetch-media.ts';
import { readId } from './twilio-hooks.ts';
import { isTwilioSignature } from './twilio-signature.ts';
import { writeTwiml } from './write-twiml.ts';

interface TwilioCallSettings {
  baseUrl: string;
  accountSid: string;
  authToken: string;
  publicUrl: string;
}

/**
 * Calls by TwiML over HTTP: Twilio, and compatible providers with another base address. A repeat is a second
 * call.
 */
export function twilioCalls({ baseUrl, accountSid, authToken, publicUrl }: TwilioCallSettings): CallProvider {
  const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  const line = openCarrierLine(baseUrl, `Basic ${basic}`);
  const media = createMediaFetcher(line);
  const root = `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`;
  // The fragment requests five more tries after any error here; without it a webhook is sent once.
  const address = (path: string, key: string, at?: string) =>
    `${publicUrl}/hooks/twilio/${path}?key=${encodeURIComponent(key)}${at === undefined ? '' : `&at=${encodeURIComponent(at)}`}`;
  const form = (values: Record<string, string>) => new URLSearchParams(values).toString();
  const post = (path: string, body: string) => line.post(path, 'application/x-www-form-urlencoded', body);
  const change = async (sid: string, values: Record<string, string>) => {
    const exchange = await post(`${root}/Calls/${encodeURIComponent(sid)}.json`, form(values));
    return exchange.kind === 'reply' && exchange.status >= 200 && exchange.status < 300;
  };

  return {
    aggregatorId: 2,
    name: 'Twilio',
    refusesRepeats: false,
    async place(call) {
      return readPlaced(await post(`${root}/Calls.json`, writeCall(call, address)));
    },
    find: (call) => findCall(line, `${root}/Calls.json`, call),
    async look(sid) {
      const exchange = await line.get(`${root}/Calls/${encodeURIComponent(sid)}.json`);
      if (exchange.kind !== 'reply') throw new Error(`Twilio can’t be asked: ${exchange.reason}.`);
      if (exchange.status === 404) return undefined;
      const seen = exchange.status === 200 ? readSeen(parseObject(exchange.text)) : undefined;
      if (seen === undefined) throw new Error(`Twilio’s call can’t be read: it answered ${exchange.status}.`);
      return seen;
    },
    playVoicemail: (sid, key) => change(sid, { Url: address('voice', key, 'voicemail'), Method: 'POST' }),
    hangUp: (sid) => change(sid, { Status: 'completed' }),
    stopRinging: (sid) => change(sid, { Status: 'canceled' }),
    readHook: (hook) => readCallHook(hook, authToken),
    writeSteps: (steps, key) => ({
      contentType: 'text/xml',
      body: writeTwiml(steps, (then) => address('voice', key, then)),
    }),
    hookReply: { contentType: 'text/xml', body: '<?xml version="1.0" encoding="UTF-8"?><Response/>' },
    fetchRecording: (url, mostBytes) => {
      const found = URL.parse(url, line.origin);
      if (found?.origin !== line.origin) throw new Error('The recording is not on the provider’s own host.');
      return media.fetch(/\.(wav|mp3)$/.test(found.pathname) ? found.href : `${found.href}.wav`, mostBytes);
    },
    async deleteRecording(url) {
      const found = URL.parse(url, line.origin);
      if (found?.origin !== line.origin) return;
      const path = `${found.pathname.replace(/\.(wav|mp3|json)$/, '')}.json`;
      await line.pool
        .request({ method: 'DELETE', path, headers: line.headers })
        .then(({ body }) => body.dump());
    },
    async verifyCallerId(phone, name, key) {
      const exchange = await post(
        `${root}/OutgoingCallerIds.json`,
        form({
          PhoneNumber: `+${phone}`,
          FriendlyName: name === '' ? `+${phone}` : name.slice(0, 64),
          StatusCallback: `${address('callerid', key)}#rc=5&rp=all`,
          StatusCallbackMethod: 'POST',
        }),
      );
      const reply = exchange.kind === 'reply' ? parseObject(exchange.text) : undefined;
      if (Number(reply?.code) === knownCallerId) return undefined;
      const code = reply?.validation_code;
      if (typeof code !== 'string' && typeof code !== 'number') {
        throw new Error('The provider could not begin to verify this number.');
      }
      return { code: String(code) };
    },
    async forgetCallerId(phone) {
      const query = new URLSearchParams({ PhoneNumber: `+${phone}` });
      const exchange = await line.get(`${root}/OutgoingCallerIds.json?${query}`);
      const reply =
        exchange.kind === 'reply' && exchange.status === 200 ? parseObject(exchange.text) : undefined;
      const listed = Array.isArray(reply?.outgoing_caller_ids) ? reply.outgoing_caller_ids : [];
      const known = listed.filter((one) => isRecord(one) && one.phone_number === `+${phone}`);
      for (const { sid } of known) {
        const path = `${root}/OutgoingCallerIds/${encodeURIComponent(String(sid))}.json`;
        const { body } = await line.pool.request({ method: 'DELETE', path, headers: line.headers });
        await body.dump();
      }
      return known.length > 0;
    },
    async close() {
      await Promise.all([line.close(), media.close()]);
    },
  };
}

function writeCall(
  { key, from, to, ringSeconds, detectMachine }: OutboundCall,
  address: (path: string, key: string, at?: string) => string,
): string {
  const form = new URLSearchParams({
    To: `+${to}`,
    From: `+${from}`,
    Url: address('voice', key, 'answered'),
    Method: 'POST',
    Timeout: String(ringSeconds),
    StatusCallback: `${address('call', key)}#rc=5&rp=all`,
    StatusCallbackMethod: 'POST',
  });
  // The first proves that there is a call, the last ends it. Ringing proves nothing, and an answered call
  // requests a step.
  for (const event of ['initiated', 'completed']) {
    form.append('StatusCallbackEvent', event);
  }
  if (detectMachine) {
    form.set('MachineDetection', 'DetectMessageEnd');
    form.set('AsyncAmd', 'true');
    form.set('AsyncAmdStatusCallback', `${address('machine', key)}#rc=5&rp=all`);
    form.set('AsyncAmdStatusCallbackMethod', 'POST');
  }
  return form.toString();
}

const wrongSettingMs = 30_000;

/** The code of the answer where a caller ID has been verified. */
const knownCallerId = 21450;

/** Codes of the create request that are about the called number. */
const resultOfCode: Readonly<Record<number, 'invalid' | 'message_rejected'>> = {
  13223: 'invalid',
  13224: 'invalid',
  21201: 'invalid',
  21211: 'invalid',
  21214: 'invalid',
  21217: 'invalid',
  21216: 'message_rejected',
};

/** Codes that every other call of this sender would get too. */
const faults: Readonly<Record<number, string>> = {
  20003: 'The provider refuses this account.',
  21210: 'The provider doesn’t accept this caller ID. It has to be verified there first.',
  21212: 'The provider doesn’t accept this caller ID.',
  21215: 'The provider doesn’t allow this account to call there.',
  21219: 'The provider’s trial account can call only verified numbers.',
  32005: 'Calling is switched off for this account at the provider.',
};

function readPlaced(exchange: Exchange): Placed {
  if (exchange.kind === 'lost')
    return { outcome: 'doubt', reason: `No answer of the provider: ${exchange.reason}.` };
  if (exchange.kind === 'unsent') {
    return { outcome: 'later', afterMs: 1000, reason: `The provider can’t be reached: ${exchange.reason}.` };
  }
  const { status, text, retryAfterMs } = exchange;
  const reply = parseObject(text);
  if (status >= 200 && status < 300) {
    const sid = readId(reply?.sid);
    return sid === undefined
      ? { outcome: 'doubt', reason: 'The provider gave an answer that could not be read.' }
      : { outcome: 'placed', sid };
  }
  const code = typeof reply?.code === 'number' ? reply.code : 0;
  if (status === 429 || code === 10_004 || code === 20_429) {
    return {
      outcome: 'later',
      afterMs: retryAfterMs ?? 1000,
      reason: `The provider asks for a pause (${status}).`,
    };
  }
  const fault = faults[code];
  if (fault !== undefined) return { outcome: 'fault', reason: fault };
  if (status === 401 || status === 403) {
    return {
      outcome: 'later',
      afterMs: wrongSettingMs,
      reason: `The provider refuses the credentials (${status}).`,
    };
  }
  if (status === 408 || status === 409 || status >= 500) {
    return { outcome: 'doubt', reason: `The provider answered with an error (${status}).` };
  }
  if (status === 400 || status === 422) {
    return { outcome: 'refused', result: resultOfCode[code] ?? 'call_failed', error: String(code || status) };
  }
  return {
    outcome: 'later',
    afterMs: wrongSettingMs,
    reason: `The provider doesn’t know the account or the address: it answered ${status}.`,
  };
}

/** Twilio's dates have no milliseconds, and its clock isn't ours. */
const toleranceMs = 5_000;
const pageSize = 50;

/**
 * It can't be queried by our key: the call between the two numbers since the try that belongs to no other
 * attempt is the one. Without dates in the query, because a queued call has none yet.
 */
async function findCall(
  line: CarrierLine,
  path: string,
  { from, to, since, otherSids }: DoubtfulCall,
): Promise<SeenCall | undefined> {
  const query = new URLSearchParams({ To: `+${to}`, From: `+${from}`, PageSize: String(pageSize) });
  const exchange = await line.get(`${path}?${query}`);
  if (exchange.kind !== 'reply') throw new Error(`Twilio can’t be asked: ${exchange.reason}.`);
  const reply = exchange.status === 200 ? parseObject(exchange.text) : undefined;
  if (!Array.isArray(reply?.calls)) {
    throw new Error(`Twilio’s calls can’t be read: it answered ${exchange.status}.`);
  }
  const earliest = since.getTime() - toleranceMs;
  const found = reply.calls
    .filter((call) => isRecord(call))
    .filter((call) => {
      const created = Date.parse(String(call.date_created));
      return Number.isNaN(created) || created >= earliest;
    })
    .filter((call) => !otherSids.includes(String(call.sid)));
  return readSeen(found.at(-1));
}

function readSeen(call: Record<string, unknown> | undefined): SeenCall | undefined {
  const sid = readId(call?.sid);
  if (call === undefined || sid === undefined) return undefined;
  const status = String(call.status);
  const state = status === 'in-progress' ? 'up' : (readEnd(status, null) ?? 'ringing');
  const seconds = Number(call.duration);
  return {
    sid,
    state,
    answeredBy: readAnsweredBy(call.answered_by),
    seconds: call.duration === null || Number.isNaN(seconds) ? null : seconds,
  };
}

function readAnsweredBy(value: unknown): AnsweredBy | null {
  if (typeof value !== 'string' || value === '') return null;
  if (value.startsWith('machine')) return 'machine';
  return value === 'human' || value === 'fax' ? value : 'unknown';
}

/** The meaning of a final status with its SIP code; undefined when it isn't final. */
function readEnd(status: string, sip: number | null): CallEnd | undefined {
  const rejected = sip === 403 || sip === 603 || sip === 607 || sip === 608;
  switch (status) {
    case 'completed':
      return 'completed';
    case 'busy':
      return rejected ? 'message_rejected' : 'busy';
    case 'no-answer':
      return 'no_answer';
    case 'canceled':
      return 'canceled';
    case 'failed':
      if (sip === 404 || sip === 410 || sip === 484 || sip === 604) return 'invalid';
      if (sip === 408 || sip === 480 || sip === 487) return 'no_answer';
      if (sip === 486 || sip === 600) return 'busy';
      return rejected ? 'message_rejected' : 'call_failed';
    default:
      return undefined;
  }
}

/** The path of our URL shows which webhook it is, its query which attempt. Both are signed. */
function readCallHook(hook: Hook, authToken: string): CallNews[] {
  const header = hook.headers['x-twilio-signature'];
  const signature = (Array.isArray(header) ? header[0] : header) ?? '';
  const form = new URLSearchParams(hook.body.toString('utf8'));
  if (!isTwilioSignature(signature, authToken, hook.url, form)) {
    throw new HookRefused('The webhook has no right signature.');
  }
  const key = hook.query.key ?? '';
  const sid = readId(form.get('CallSid'));
  if (sid === undefined) return [];
  const path = new URL(hook.url).pathname;
  if (path.endsWith('/voice')) return [readStep(hook, form, sid)];
  if (key === '') return [];
  if (path.endsWith('/callerid')) {
    const phone = readCarrierPhone(form.get('To') ?? '') ?? '';
    return [{ kind: 'callerId', key, sid, phone, isVerified: form.get('VerificationStatus') === 'success' }];
  }
  if (path.endsWith('/machine')) {
    const answeredBy = readAnsweredBy(form.get('AnsweredBy'));
    return answeredBy === null ? [] : [{ kind: 'machine', key, sid, answeredBy }];
  }
  return readStatus(form, key, sid);
}

function readStep(hook: Hook, form: URLSearchParams, sid: string): CallNews {
  const status = form.get('DialCallStatus');
  const bridged = form.get('DialBridged');
  const recordingUrl = form.get('RecordingUrl');
  const dial =
    status === null
      ? {}
      : {
          dial: {
            status: toStorableText(status).slice(0, 40),
            // "completed" alone isn't proof: the other side answered, and perhaps nobody was left to talk to.
            isBridged: bridged === null ? status === 'completed' : bridged === 'true',
            seconds: Number(form.get('DialCallDuration') ?? 0) || 0,
          },
        };
  const recording = recordingUrl
    ? { recording: { url: recordingUrl, seconds: Number(form.get('RecordingDuration') ?? 0) || 0 } }
    : {};
  return {
    kind: 'step',
    key: hook.query.key ?? '',
    sid,
    from: readCarrierPhone(form.get('From') ?? '') ?? '',
    to: readCarrierPhone(form.get('To') ?? '') ?? '',
    isInbound: form.get('Direction') === 'inbound',
    at: hook.query.at ?? 'answered',
    keys: (form.get('Digits') ?? '').replace(/[^0-9*#]/g, '').slice(0, 32),
    ...dial,
    ...recording,
  };
}

function readStatus(form: URLSearchParams, key: string, sid: string): CallNews[] {
  const status = form.get('CallStatus') ?? '';
  const sip = Number(form.get('SipResponseCode') ?? Number.NaN);
  const stamp = Date.parse(form.get('Timestamp') ?? '');
  const at = Number.isNaN(stamp) ? now() : new Date(stamp);
  const end = readEnd(status, Number.isNaN(sip) ? null : sip);
  if (end !== undefined) {
    const seconds = Number(form.get('CallDuration') ?? Number.NaN);
    const error = form.get('ErrorCode') ?? (Number.isNaN(sip) || end === 'completed' ? null : String(sip));
    return [
      {
        kind: 'ended',
        key,
        sid,
        end,
        answeredBy: readAnsweredBy(form.get('AnsweredBy')),
        seconds: Number.isNaN(seconds) ? null : seconds,
        error: error === null ? null : toStorableText(error).slice(0, 200),
        at,
      },
    ];
  }
  return [{ kind: 'progress', key, sid, state: status === 'in-progress' ? 'up' : 'ringing', at }];
}
