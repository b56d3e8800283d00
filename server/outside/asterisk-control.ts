/** Long because all of it is one state machine: its parts share the active calls and the waits for events. */
import { now, nowMs } from '../clock.ts';
import { type AsteriskLine, type Channel, readChannel } from './asterisk-line.ts';
import {
  endOfChannel,
  isLegId,
  type Kept,
  type Moment,
  mediaOf,
  readKept,
  readVerdict,
} from './asterisk-words.ts';
import type { CallEar, CallStep } from './calls.ts';
import { isRecord } from './carrier-line.ts';
import type { SaidWords } from './words-of-calls.ts';

/** The initial data of a call, before any input. */
const nothing: Omit<Moment, 'at'> = { keys: '' };
/** The database may be unavailable for a moment while somebody waits on the telephone. */
const mostStepTries = 20;
const stepPauseMs = 500;
const endPauseMs = 1_000;

/** An answered call that we control. */
interface Live {
  id: string;
  answeredMs: number | null;
  /** Counts playbacks, recordings and legs, so that each has a unique name. */
  count: number;
  /** The reason of the last event that handed it to us: the same one again is an echo. */
  entry: string;
  stop: AbortController;
  running: Promise<void>;
  press: ((digit: string) => void) | undefined;
  /** Its sound was unavailable: nobody heard anything. */
  failure: string | null;
  /** A transfer that ended with the call itself. */
  unsaid: Moment | undefined;
}

interface Control {
  line: AsteriskLine;
  ear: CallEar;
  publicUrl: string;
  /** The URL from which Asterisk gets spoken words. */
  wordsUrl: (said: SaidWords) => string;
  endpointOf: (phone: string) => string;
  /** True if we hung it up ourselves while it rang. */
  wasHungUp: (id: string) => boolean;
}

/**
 * Runs the flow's steps in Asterisk, one at a time. A variable of the call's channel contains the current
 * step: when this process dies, the next one lists the channels and continues each where it is.
 */
export function createAsteriskControl({ line, ear, publicUrl, wordsUrl, endpointOf, wasHungUp }: Control) {
  const calls = new Map<string, Live>();
  /** Waits for a playback, a recording or a leg, by its name. */
  const waiting = new Map<string, (told: Record<string, unknown>) => void>();
  let isClosing = false;
  /** Events that arrive while the channels are being listed are delayed until then. */
  let held: Record<string, unknown>[] | undefined;

  const media = (steps: readonly CallStep[]) =>
    mediaOf(steps, { publicUrl, wordsUrl, recordingName: line.recordingName });

  function open(id: string): Live {
    const known = calls.get(id);
    if (known !== undefined) return known;
    const live: Live = {
      id,
      answeredMs: null,
      count: 0,
      entry: '',
      stop: new AbortController(),
      running: Promise.resolve(),
      press: undefined,
      failure: null,
      unsaid: undefined,
    };
    calls.set(id, live);
    return live;
  }

  /** Resolves with the event of this name, or with undefined if the call ends or moves on first. */
  function waitFor(name: string, signal: AbortSignal): Promise<Record<string, unknown> | undefined> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined);
      const end = (told?: Record<string, unknown>) => {
        waiting.delete(name);
        signal.removeEventListener('abort', giveUp);
        resolve(told);
      };
      const giveUp = () => end();
      waiting.set(name, end);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  async function askStep(live: Live, moment: Moment, signal: AbortSignal): Promise<CallStep[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await tellStep(live, moment);
      } catch (error) {
        if (tries === 1) ear.warn({ err: error }, 'a call could not be told what to do next');
        if (tries >= mostStepTries) return [{ do: 'hangUp' }];
        await pause(stepPauseMs);
        if (signal.aborted) return [];
      }
    }
  }

  const tellStep = ({ id }: Live, moment: Moment) =>
    ear.takeStep({ kind: 'step', key: id, sid: id, from: '', to: '', isInbound: false, ...moment });

  /** Runs the flow from here on, instead of the previous step. */
  function run(live: Live, begin: (signal: AbortSignal) => Promise<Moment | undefined>): void {
    live.stop.abort();
    const before = live.running;
    const stop = new AbortController();
    live.stop = stop;
    live.running = (async () => {
      await before;
      let moment = stop.signal.aborted ? undefined : await begin(stop.signal);
      while (moment !== undefined && !stop.signal.aborted) {
        const steps = await askStep(live, moment, stop.signal);
        moment = stop.signal.aborted ? undefined : await perform(live, steps, stop.signal);
      }
    })().catch((error) => {
      ear.warn({ err: error }, 'a call broke off');
      void line.hangUp(live.id);
    });
  }

  const beginAt = (live: Live, at: string) => run(live, () => Promise.resolve({ at, ...nothing }));

  const keep = (live: Live, kept: Omit<Kept, 'count'>) =>
    line.setVariable(live.id, JSON.stringify({ count: live.count, ...kept } satisfies Kept));

  /** False when the call is over, or its sound was unavailable. */
  async function play(
    live: Live,
    sounds: readonly string[],
    rest: readonly CallStep[],
    signal: AbortSignal,
  ): Promise<boolean> {
    if (sounds.length === 0) return !signal.aborted;
    live.count += 1;
    const playbackId = `${live.id}.${live.count}`;
    const finished = waitFor(playbackId, signal);
    // Saved first: a process that takes the call over must not restart its message.
    const isBegun =
      (await keep(live, { playbackId, rest: [...rest] })) && (await line.play(live.id, playbackId, sounds));
    if (isBegun || signal.aborted) return isPlayed(live, await finished, signal);
    waiting.delete(playbackId);
    return fail(live, 'Asterisk did not play the message.');
  }

  function isPlayed(live: Live, told: Record<string, unknown> | undefined, signal: AbortSignal): boolean {
    if (signal.aborted) return false;
    if (!isRecord(told?.playback) || told.playback.state !== 'failed') return true;
    ear.warn({}, 'Asterisk could not fetch a sound from here; check PUBLIC_URL');
    return fail(live, 'Asterisk could not fetch the sound.');
  }

  /** Nobody heard it: the call doesn't count. */
  function fail(live: Live, failure: string): false {
    live.failure = failure;
    void line.hangUp(live.id);
    return false;
  }

  /** Runs the steps; returns the step at which the call continues, or undefined when it ends. */
  async function perform(
    live: Live,
    steps: readonly CallStep[],
    signal: AbortSignal,
  ): Promise<Moment | undefined> {
    const at = steps.findIndex(({ do: does }) => does !== 'play' && does !== 'say' && does !== 'pause');
    const heard = at === -1 ? steps : steps.slice(0, at);
    const last: CallStep = steps[at] ?? { do: 'hangUp' };
    if (last.do === 'ask') return ask(live, { ...last, first: [...heard, ...last.first] }, signal);
    if (!(await play(live, media(heard), [last], signal))) return undefined;
    switch (last.do) {
      case 'dial':
        return dial(live, last, signal);
      case 'record':
        return record(live, last, signal);
      case 'go':
        return { at: last.next, ...nothing };
      default:
        await line.hangUp(live.id);
        return undefined;
    }
  }

  /**
   * Keys count from the first sound on. The first one stops the sounds; each further one has its own
   * time-out.
   */
  async function ask(
    live: Live,
    step: Extract<CallStep, { do: 'ask' }>,
    signal: AbortSignal,
    playing?: string,
  ): Promise<Moment | undefined> {
    let keys = '';
    let isDone = false;
    let current = playing;
    live.press = (digit) => {
      if (isDone) return;
      if (digit === step.endKey) isDone = true;
      else keys += digit;
      isDone ||= keys.length >= step.mostKeys;
      if (current !== undefined) void line.stopPlaying(current);
    };
    const silence: CallStep = { do: 'pause', seconds: step.waitSeconds };
    const rest: CallStep[] = [{ ...step, first: [] }];
    try {
      if (playing !== undefined && !isPlayed(live, await waitFor(playing, signal), signal)) return undefined;
      // The words and the wait after them are one playback: a key during either ends it.
      let sounds = media(playing === undefined ? [...step.first, silence] : [silence]);
      while (!isDone) {
        const before = keys.length;
        current = `${live.id}.${live.count + 1}`;
        if (!(await play(live, sounds, rest, signal))) return undefined;
        if (keys.length === before) break;
        sounds = media([silence]);
      }
    } finally {
      live.press = undefined;
    }
    return signal.aborted ? undefined : { at: step.next, keys };
  }

  async function record(
    live: Live,
    step: Extract<CallStep, { do: 'record' }>,
    signal: AbortSignal,
  ): Promise<Moment | undefined> {
    live.count += 1;
    const name = `${live.id}-${live.count}`;
    const finished = waitFor(name, signal);
    await keep(live, { playbackId: null, rest: [step] });
    if (!(await line.record(live.id, name, step.mostSeconds))) {
      waiting.delete(name);
      return undefined;
    }
    const told = await finished;
    if (signal.aborted || !isRecord(told?.recording)) return undefined;
    const seconds = Number(told.recording.duration ?? 0) || 0;
    return { at: step.next, ...nothing, recording: { url: line.recordingUrl(name), seconds } };
  }

  async function dial(
    live: Live,
    step: Extract<CallStep, { do: 'dial' }>,
    signal: AbortSignal,
  ): Promise<Moment | undefined> {
    live.count += 1;
    const legId = `${live.id}.leg${live.count}`;
    await keep(live, { playbackId: null, rest: [step], leg: { id: legId, bridgedMs: null } });
    // They hear it ring.
    const tone = `${live.id}.tone${live.count}`;
    await line.play(live.id, tone, ['tone:ring;tonezone=us']);
    const up = waitFor(`up ${legId}`, signal);
    const over = waitFor(`over ${legId}`, signal);
    const asked = await line.originate({
      channelId: legId,
      endpoint: endpointOf(step.to),
      appArgs: 'leg',
      callerId: `+${step.callerId}`,
      timeout: step.ringSeconds,
      originator: live.id,
    });
    const isPlaced = asked.kind === 'reply' && asked.status < 300;
    const first = isPlaced
      ? await Promise.race([up.then((told) => told && 'up'), over.then((told) => told && 'over')])
      : 'over';
    await line.stopPlaying(tone);
    const unanswered: Moment = {
      at: step.next,
      ...nothing,
      dial: { isBridged: false, seconds: 0, status: isPlaced ? 'no-answer' : 'failed' },
    };
    if (first !== 'up') return signal.aborted ? leave(live, legId, unanswered) : unanswered;
    return connect(live, legId, step, { over, signal, bridgedMs: null });
  }

  /** The two talk until one of them hangs up. */
  async function connect(
    live: Live,
    legId: string,
    step: Extract<CallStep, { do: 'dial' }>,
    { over, signal, bridgedMs }: { over: Promise<unknown>; signal: AbortSignal; bridgedMs: number | null },
  ): Promise<Moment | undefined> {
    const since = bridgedMs ?? nowMs();
    const bridgeId = `${live.id}.bridge`;
    if (bridgedMs === null) {
      await keep(live, { playbackId: null, rest: [step], leg: { id: legId, bridgedMs: since } });
      await line.bridge(bridgeId, [live.id, legId]);
    }
    await over;
    await line.unbridge(bridgeId);
    const seconds = Math.round((nowMs() - since) / 1000);
    const talked: Moment = {
      at: step.next,
      ...nothing,
      dial: { isBridged: true, seconds, status: 'completed' },
    };
    return signal.aborted ? leave(live, legId, talked) : talked;
  }

  /** The call itself ended during the transfer, or this process stops: then the next one continues both. */
  async function leave(live: Live, legId: string, moment: Moment): Promise<undefined> {
    if (isClosing || calls.get(live.id) !== live) return;
    live.unsaid = moment;
    await line.hangUp(legId);
  }

  async function enter(channel: Channel, args: readonly string[]): Promise<void> {
    const [why = '', status = '', cause = ''] = args;
    if (why === 'leg') return waiting.get(`up ${channel.id}`)?.({});
    const live = open(channel.id);
    live.answeredMs ??= nowMs();
    if (live.entry === why) return;
    live.entry = why;
    if (why === 'silent') return beginAt(live, 'voicemail');
    if (why === 'call' && status === 'detect') {
      await line.continueAt(live.id, 'detect');
    } else if (why === 'detected') await judge(live, status, cause);
    else if (why === 'call') beginAt(live, 'answered');
    else await line.hangUp(channel.id);
  }

  /**
   * A machine stays in the dialplan until its greeting is over (playVoicemail); anybody else hears the
   * message.
   */
  async function judge(live: Live, status: string, cause: string): Promise<void> {
    const answeredBy = readVerdict(status, cause);
    await insist(() => ear.takeNews({ kind: 'machine', key: live.id, sid: live.id, answeredBy }));
    // The handler of the event may know better: then it stays here, and it is a person.
    if (live.entry === 'detected') beginAt(live, 'answered');
  }

  /** Repeated until the database has it: nobody else would report it again. */
  async function insist(tell: () => Promise<unknown>): Promise<void> {
    for (let isFirst = true; !isClosing; isFirst = false) {
      try {
        await tell();
        return;
      } catch (error) {
        if (isFirst)
          ear.warn({ err: error }, 'the result of a call could not be recorded; it is tried again');
        await pause(endPauseMs);
      }
    }
  }

  async function end(
    id: string,
    told: { cause: number; techCause: number | null; isUp: boolean },
  ): Promise<void> {
    const live = calls.get(id);
    if (live !== undefined) {
      live.stop.abort();
      await live.running;
      const { unsaid } = live;
      if (unsaid !== undefined) await insist(() => tellStep(live, unsaid));
      calls.delete(id);
    }
    const { end: outcome, error } = endOfChannel({
      ...told,
      isUp: told.isUp || live !== undefined,
      wasHungUp: wasHungUp(id),
      failure: live?.failure ?? null,
    });
    const seconds = live?.answeredMs == null ? null : Math.round((nowMs() - live.answeredMs) / 1000);
    await insist(() =>
      ear.takeNews({
        kind: 'ended',
        key: id,
        sid: id,
        end: outcome,
        answeredBy: null,
        seconds,
        error,
        at: now(),
      }),
    );
  }

  /** A channel that another process, or this one before its connection broke, controlled. */
  async function adopt(channel: Channel, others: ReadonlySet<string>): Promise<void> {
    if (channel.state !== 'Up' || isLegId(channel.id)) return;
    const { context, app_name, app_data } = channel.dialplan;
    const [app, ...args] = app_data.split(',');
    const isHere = app_name === 'Stasis' && app === line.app;
    // Others may use the same Asterisk.
    if (!isHere && context !== line.app) return;
    const live = open(channel.id);
    // In the dialplan: it returns to us by itself.
    if (!isHere) return;
    const kept = readKept(await line.readVariable(channel.id));
    if (kept === undefined) return enter(channel, args);
    live.entry = args[0] ?? '';
    live.count = Math.max(live.count, kept.count);
    const { rest, leg, playbackId } = kept;
    const [next] = rest;
    if (next?.do === 'dial' && leg !== undefined) return goOnDialing(live, next, leg, others);
    const isPlaying = playbackId !== null && (await line.isPlaying(playbackId));
    run(live, async (signal) => {
      if (next?.do === 'ask') return ask(live, next, signal, isPlaying ? playbackId : undefined);
      if (isPlaying && !isPlayed(live, await waitFor(playbackId, signal), signal)) return undefined;
      return perform(live, rest, signal);
    });
  }

  /** Nobody is dialed a second time. */
  function goOnDialing(
    live: Live,
    step: Extract<CallStep, { do: 'dial' }>,
    { id, bridgedMs }: NonNullable<Kept['leg']>,
    others: ReadonlySet<string>,
  ): void {
    run(live, (signal) => {
      if (others.has(id) && bridgedMs !== null)
        return connect(live, id, step, { over: waitFor(`over ${id}`, signal), signal, bridgedMs });
      if (others.has(id)) void line.hangUp(id);
      const isBridged = bridgedMs !== null;
      const seconds = isBridged ? Math.round((nowMs() - bridgedMs) / 1000) : 0;
      const status = isBridged ? 'completed' : 'no-answer';
      return Promise.resolve({ at: step.next, ...nothing, dial: { isBridged, seconds, status } });
    });
  }

  async function hear(event: Record<string, unknown>): Promise<void> {
    const channel = readChannel(event.channel);
    const { playback, recording } = event;
    switch (event.type) {
      case 'StasisStart': {
        const args = Array.isArray(event.args) ? event.args.map(String) : [];
        return channel && enter(channel, args);
      }
      case 'StasisEnd': {
        const live = channel && calls.get(channel.id);
        if (live === undefined) return;
        live.entry = '';
        return live.stop.abort();
      }
      case 'ChannelDtmfReceived':
        return calls.get(channel?.id ?? '')?.press?.(String(event.digit));
      case 'PlaybackFinished':
        return waiting.get(isRecord(playback) ? String(playback.id) : '')?.(event);
      case 'RecordingFinished':
      case 'RecordingFailed':
        return waiting.get(isRecord(recording) ? String(recording.name) : '')?.(event);
      case 'ChannelDestroyed': {
        if (channel === undefined) return;
        if (isLegId(channel.id)) return waiting.get(`over ${channel.id}`)?.({});
        const techCause = typeof event.tech_cause === 'number' ? event.tech_cause : null;
        return end(channel.id, { cause: Number(event.cause), techCause, isUp: channel.state === 'Up' });
      }
      default:
        return;
    }
  }

  const tell = (event: Record<string, unknown>) => {
    hear(event).catch((error) => ear.warn({ err: error }, 'what Asterisk said could not be taken'));
  };

  return {
    heard(event: Record<string, unknown>): void {
      if (held === undefined) tell(event);
      else held.push(event);
    },
    /** The connection is open: all active channels are ours now. */
    async takeOver(): Promise<void> {
      held = [];
      const before = [...calls.values()];
      calls.clear();
      for (const live of before) live.stop.abort();
      try {
        const channels = await line.listChannels();
        const ids = new Set(channels.map(({ id }) => id));
        for (const { id, answeredMs } of before) {
          open(id).answeredMs = answeredMs;
          if (!ids.has(id)) await end(id, { cause: 16, techCause: null, isUp: true });
        }
        for (const channel of channels) await adopt(channel, ids);
      } catch (error) {
        ear.warn({ err: error }, 'the calls that are up could not be listed');
      }
      const events = held;
      held = undefined;
      for (const event of events) tell(event);
    },
    /** It goes to the dialplan until the greeting is over, and returns to leave its message. */
    toVoicemail(id: string): void {
      const live = calls.get(id);
      if (live === undefined) return;
      live.entry = '';
      live.stop.abort();
    },
    async close(): Promise<void> {
      isClosing = true;
      for (const live of calls.values()) live.stop.abort();
      await Promise.all([...calls.values()].map((live) => live.running));
    },
  };
}
