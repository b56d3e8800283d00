import { z } from 'zod';
import { isStorableText, toStorableText } from '../../contract/text/storable-text.ts';
import { now } from '../clock.ts';
import type { AnsweredBy, CallEnd, CallNews, CallProvider, OutboundCall, Placed, SeenCall } from './calls.ts';
import { type Hook, HookRefused } from './carrier.ts';
import { type CarrierLine, type Exchange, isRecord, openCarrierLine, parseObject } from './carrier-line.ts';
import { equalSecrets } from './equal-secrets.ts';
import { describeInfobipCode } from './infobip-hooks.ts';
import { nameScenario, writeAnswer, writeScript } from './infobip-script.ts';
import { infobipDuplicate } from './status-codes.ts';

interface InfobipCallSettings {
  baseUrl: string;
  apiKey: string;
  webhookSecret: string;
  publicUrl: string;
}

/** Calls that arrive while a request is prepared are added to it. */
const gatherMs = 10;
const mostInRequest = 100;
const wrongSettingMs = 30_000;

interface Waiting {
  call: OutboundCall;
  settle: (placed: Placed) => void;
}

/**
 * Calls by Infobip's IVR messages: our key is their message id, a request contains many calls, and one
 * scenario asks us at every step. It isn't documented that a repeated id is refused for calls, so a call in
 * doubt is only looked up.
 */
export function infobipCalls({
  baseUrl,
  apiKey,
  webhookSecret,
  publicUrl,
}: InfobipCallSettings): CallProvider {
  const line = openCarrierLine(baseUrl, `App ${apiKey}`);
  const hookUrl = (path: string) => `${publicUrl}/hooks/infobip/${path}/${encodeURIComponent(webhookSecret)}`;
  const scenarios = createScenarios(line, hookUrl('voice'));
  const queues = new Map<boolean, Waiting[]>();

  async function launch(batch: Waiting[], detectMachine: boolean): Promise<void> {
    const scenario = await scenarios.find(detectMachine);
    if (typeof scenario !== 'string') {
      for (const { settle } of batch) settle(scenario);
      return;
    }
    const messages = batch.map(({ call }) => ({
      scenarioId: scenario,
      from: call.from,
      destinations: [{ to: call.to, messageId: call.key }],
      notifyUrl: hookUrl('call'),
      notifyContentType: 'application/json',
      ringTimeout: call.ringSeconds,
      parameters: { key: call.key },
    }));
    const exchange = await line.post(
      '/voice/ivr/1/messages',
      'application/json',
      JSON.stringify({ messages }),
    );
    if (exchange.kind === 'reply' && exchange.status === 400) {
      // None of it was accepted. The scenario may have been deleted there.
      scenarios.forget(detectMachine);
      if (batch.length > 1) {
        for (const one of batch) await launch([one], detectMachine);
        return;
      }
    }
    const outcomes = readPlaced(exchange);
    for (const { call, settle } of batch) {
      settle(
        outcomes.get(call.key) ??
          outcomes.get('') ?? {
            outcome: 'doubt',
            reason: 'The provider did not name this call in its answer.',
          },
      );
    }
  }

  function flush(detectMachine: boolean): void {
    const batch = queues.get(detectMachine) ?? [];
    queues.delete(detectMachine);
    if (batch.length === 0) return;
    void launch(batch, detectMachine).catch(() => {
      for (const { settle } of batch) {
        settle({ outcome: 'doubt', reason: 'The provider gave an answer that could not be read.' });
      }
    });
  }

  async function ask(key: string): Promise<SeenCall | undefined> {
    const exchange = await line.get(`/tts/3/logs?messageId=${encodeURIComponent(key)}`);
    if (exchange.kind !== 'reply') throw new Error(`Infobip can’t be asked: ${exchange.reason}.`);
    const results = exchange.status === 200 ? parseObject(exchange.text)?.results : undefined;
    if (!Array.isArray(results))
      throw new Error(`Infobip’s log can’t be read: it answered ${exchange.status}.`);
    return readSeen(results.find((result) => isRecord(result) && result.messageId === key));
  }

  return {
    aggregatorId: 5,
    name: 'Infobip',
    refusesRepeats: false,
    place(call) {
      if (call.flow.kind === 'record' || call.flow.kind === 'launch') {
        const error = 'Infobip’s scenarios give no recordings.';
        return Promise.resolve({ outcome: 'refused', result: 'call_failed', error });
      }
      return new Promise((settle) => {
        const queue = queues.get(call.detectMachine) ?? [];
        queue.push({ call, settle });
        queues.set(call.detectMachine, queue);
        if (queue.length === 1) setTimeout(() => flush(call.detectMachine), gatherMs);
        else if (queue.length >= mostInRequest) flush(call.detectMachine);
      });
    },
    find: ({ key }) => ask(key),
    look: (_sid, key) => ask(key),
    // The scenario waits for the end of the greeting itself and then asks for this message.
    playVoicemail: () => Promise.resolve(true),
    // A call that runs a scenario can't be ended: it ends with its message (docs/decisions/0365).
    hangUp: () => Promise.resolve(false),
    stopRinging: () => Promise.resolve(false),
    readHook: (hook) => readCallHook(hook, webhookSecret),
    writeSteps: (steps) => ({
      contentType: 'application/json',
      body: JSON.stringify(writeAnswer(steps)),
    }),
    hookReply: { contentType: 'application/json', body: '{}' },
    fetchRecording: () => Promise.reject(new Error('Infobip’s scenarios give no recordings.')),
    deleteRecording: () => Promise.resolve(),
    verifyCallerId: () => Promise.reject(new Error('Infobip verifies no caller IDs by telephone.')),
    forgetCallerId: () => Promise.resolve(false),
    close: () => line.close(),
  };
}

/**
 * Finds the scenario that an installation created before, or creates it; once, and again when it was deleted
 * there.
 */
function createScenarios(line: CarrierLine, stepUrl: string) {
  const known = new Map<boolean, Promise<string | Placed>>();

  async function load(detectMachine: boolean): Promise<string | Placed> {
    const script = writeScript(stepUrl, detectMachine);
    const name = nameScenario(script);
    const path = '/voice/ivr/1/scenarios';
    const listed = await line.get(`${path}?pageSize=50&name=${encodeURIComponent(name)}`);
    const found = listed.kind === 'reply' && listed.status === 200 ? parseList(listed.text) : [];
    const own = found.find((one) => isRecord(one) && one.name === name);
    if (isRecord(own) && typeof own.id === 'string') return own.id;
    const made = await line.post(path, 'application/json', JSON.stringify({ name, script }));
    const id = made.kind === 'reply' && made.status < 300 ? parseObject(made.text)?.id : undefined;
    if (typeof id === 'string') return id;
    // No call was requested: all of them can wait.
    const why = made.kind === 'reply' ? `it answered ${made.status}` : made.reason;
    const reason = `The provider did not take the scenario of calls: ${why}.`;
    return { outcome: 'later', afterMs: made.kind === 'reply' ? wrongSettingMs : 1000, reason };
  }

  return {
    find(detectMachine: boolean): Promise<string | Placed> {
      let scenario = known.get(detectMachine);
      if (scenario === undefined) {
        scenario = load(detectMachine);
        known.set(detectMachine, scenario);
        const forget = () => known.delete(detectMachine);
        scenario.then((loaded) => typeof loaded === 'string' || forget(), forget);
      }
      return scenario;
    },
    forget: (detectMachine: boolean) => known.delete(detectMachine),
  };
}

function parseList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** The outcome by key; under '' that of every call that the response doesn't name. */
function readPlaced(exchange: Exchange): Map<string, Placed> {
  const all = (placed: Placed) => new Map([['', placed]]);
  if (exchange.kind === 'lost') {
    return all({ outcome: 'doubt', reason: `No answer of the provider: ${exchange.reason}.` });
  }
  if (exchange.kind === 'unsent') {
    return all({
      outcome: 'later',
      afterMs: 1000,
      reason: `The provider can’t be reached: ${exchange.reason}.`,
    });
  }
  const { status, text, retryAfterMs } = exchange;
  if (status === 429) {
    return all({
      outcome: 'later',
      afterMs: retryAfterMs ?? 1000,
      reason: 'The provider asks for a pause (429).',
    });
  }
  if (status === 400) return all({ outcome: 'refused', result: 'call_failed', error: '400' });
  if (status === 408 || status === 409 || status >= 500) {
    return all({ outcome: 'doubt', reason: `The provider answered with an error (${status}).` });
  }
  if (status >= 300) {
    return all({
      outcome: 'later',
      afterMs: wrongSettingMs,
      reason: `The provider refuses calls (${status}).`,
    });
  }
  const entries = parseObject(text)?.messages;
  const outcomes = new Map<string, Placed>();
  for (const entry of Array.isArray(entries) ? entries : []) {
    if (!isRecord(entry) || typeof entry.messageId !== 'string' || !isRecord(entry.status)) continue;
    outcomes.set(entry.messageId, readEntry(entry.messageId, entry.status));
  }
  return outcomes;
}

/** Status ids that every other call of this sender would get too. */
const faults: Readonly<Record<number, string>> = {
  12: 'The provider has no credit left for this account.',
  13: 'The provider doesn’t accept this caller ID.',
  17: 'The provider’s package has run out.',
};

function readEntry(key: string, status: Record<string, unknown>): Placed {
  const id = Number(status.id);
  if (status.groupName !== 'REJECTED') return { outcome: 'placed', sid: key };
  // It already exists.
  if (id === infobipDuplicate) return { outcome: 'placed', sid: key };
  const fault = faults[id];
  if (fault !== undefined) return { outcome: 'fault', reason: fault };
  const result = readEnd('REJECTED', id, 0) ?? 'call_failed';
  return { outcome: 'refused', result, error: describeInfobipCode(status) };
}

/** Infobip's status and error ids, from its documented list of codes; undefined while a call is active. */
function readEnd(groupName: string, statusId: number, errorId: number): CallEnd | undefined {
  if (groupName === 'PENDING' || groupName === 'ACCEPTED') return undefined;
  if (groupName === 'DELIVERED') return 'completed';
  if (statusId === 96 || errorId === 10_200) return 'no_answer';
  if (statusId === 97 || errorId === 10_201) return 'busy';
  if (statusId === 98 || errorId === 10_202) return 'canceled';
  if (statusId === 51 || statusId === 52 || errorId === 10_303 || errorId === 10_305) return 'invalid';
  // The network's list of people who don't want such calls.
  if (statusId === 10) return 'do_not_call';
  if ([13, 14, 99].includes(statusId) || errorId === 10_203) return 'message_rejected';
  return 'call_failed';
}

function readAnsweredBy(told: unknown, errorId: number): AnsweredBy | null {
  const text = String(told ?? '').toLowerCase();
  if (text.includes('machine') || errorId === 10_002) return 'machine';
  if (text.includes('human') || errorId === 10_003) return 'human';
  return null;
}

function readSeen(log: unknown): SeenCall | undefined {
  const parsed = report.safeParse(log);
  if (!parsed.success) return undefined;
  const { messageId: sid, status, error, duration } = parsed.data;
  return {
    sid,
    state: readEnd(status.groupName, status.id, error.id) ?? 'ringing',
    answeredBy: readAnsweredBy(undefined, error.id),
    seconds: duration ?? null,
  };
}

const code = z.object({
  id: z.number().catch(0),
  groupName: z.string().catch(''),
  name: z.string().catch(''),
});
const noCode = { id: 0, groupName: '', name: '' };

const report = z.object({
  messageId: z.string().min(1).max(200).refine(isStorableText),
  status: code,
  error: code.catch(noCode).default(noCode),
  duration: z.number().optional().catch(undefined),
  voiceCall: z
    .object({
      duration: z.number().optional().catch(undefined),
      answeredBy: z.string().optional().catch(undefined),
    })
    .catch({})
    .default({}),
});

const question = z.object({
  key: z.string().min(1).max(200).refine(isStorableText),
  at: z.string().max(40),
  keys: z.string().max(64).catch(''),
});

/** Infobip signs nothing: the secret in the URL is the proof. The path shows which webhook it is. */
function readCallHook(hook: Hook, webhookSecret: string): CallNews[] {
  if (!equalSecrets(hook.secret, webhookSecret)) throw new HookRefused('The webhook has a wrong secret.');
  const body = parseObject(hook.body.toString('utf8'));
  if (/\/voice\/[^/]*$/.test(new URL(hook.url).pathname)) {
    const parsed = question.safeParse(body);
    if (!parsed.success) throw new HookRefused('The webhook has no question.');
    const { key, at, keys } = parsed.data;
    const pressed = keys.replace(/[^0-9*#]/g, '').slice(0, 32);
    return [{ kind: 'step', key, sid: key, from: '', to: '', isInbound: false, at, keys: pressed }];
  }
  if (!Array.isArray(body?.results)) throw new HookRefused('The webhook has no results.');
  return body.results.flatMap((result) => readReport(result));
}

function readReport(result: unknown): CallNews[] {
  const parsed = report.safeParse(result);
  if (!parsed.success) return [];
  const { messageId: key, status, error, duration, voiceCall } = parsed.data;
  const at = now();
  const end = readEnd(status.groupName, status.id, error.id);
  if (end === undefined) return [{ kind: 'progress', key, sid: key, state: 'ringing', at }];
  return [
    {
      kind: 'ended',
      key,
      sid: key,
      end,
      answeredBy: readAnsweredBy(voiceCall.answeredBy, error.id),
      seconds: voiceCall.duration ?? duration ?? null,
      error:
        end === 'completed'
          ? null
          : toStorableText(describeInfobipCode(error.id !== 0 ? error : status)).slice(0, 200),
      at,
    },
  ];
}
