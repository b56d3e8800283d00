// The channels of an Asterisk over the telephone exchange: each is one side of a call. What is done with it comes from
// whoever has the application's socket; what happens in it goes there.
import { type Call, isOver, secondsBetween } from './call.ts';
import { attemptKey, greetingOf, judge } from './call-ends.ts';
import { pressAfterSeconds, talkSeconds } from './call-people.ts';
import type { Carrier } from './carrier.ts';
import type { Line } from './line.ts';
import { keepRecording, recordingSeconds } from './recordings.ts';
import { DocumentError } from './twiml.ts';

type Socket = { send: (event: object) => void; cut: () => void };

type Channel = {
  line: Line;
  app: string;
  /** The arguments it entered the application with; undefined while it rings or is in the dialplan. */
  args: string[] | undefined;
  context: string;
  extension: string;
  variables: Map<string, string>;
  playback: { id: string; stop: AbortController } | undefined;
  hasPressed: boolean;
};

type Order = {
  id: string;
  app: string;
  args: string;
  from: string;
  to: string;
  timeoutSeconds: number;
  originator: string | undefined;
};

const keySeconds = 0.3;
/** The dialplan's WaitForSilence(1500). */
const silenceSeconds = 1.5;
const toneSeconds = 60;
const recordTimeout = 5;

/** As a real Asterisk tells it, by what the exchange calls it. */
const causes: Readonly<Record<number, number>> = { 404: 1, 486: 17, 503: 34, 603: 21 };

export class AriExchange {
  readonly #carrier: Carrier;
  readonly #channels = new Map<string, Channel>();
  readonly #sockets = new Map<string, Socket>();
  readonly #bridges = new Map<string, string[]>();
  /** The exchange's own id of a recording, by its name. */
  readonly recordings = new Map<string, string>();

  constructor(carrier: Carrier) {
    this.#carrier = carrier;
  }

  /** The newer socket of an application wins. The function that it returns ends this one. */
  register(app: string, socket: Socket): () => void {
    this.#sockets.get(app)?.send(this.#event(app, 'ApplicationReplaced', {}));
    this.#sockets.set(app, socket);
    return () => {
      if (this.#sockets.get(app) === socket) this.#sockets.delete(app);
    };
  }

  cutSockets(): void {
    for (const socket of this.#sockets.values()) socket.cut();
    this.#sockets.clear();
  }

  list(): object[] {
    return [...this.#channels.values()].map((channel) => this.#compose(channel));
  }

  find(id: string): object | undefined {
    const channel = this.#channels.get(id);
    return channel && this.#compose(channel);
  }

  isInStasis(id: string): boolean {
    return this.#channels.get(id)?.args !== undefined;
  }

  originate({ id, app, args, from, to, timeoutSeconds, originator }: Order): object {
    const { exchange } = this.#carrier;
    const order = { statusEvents: [], timeoutSeconds, asterisk: { app, appArgs: args } };
    const parent = originator === undefined ? undefined : this.#channels.get(originator);
    let line: Line | undefined;
    if (parent) {
      line = exchange.connect(parent.line, to, from, { ...order, sid: id });
      const leg = line;
      leg.ended = (call) => this.#destroyed(call);
      void leg.pickedUp.then(() => {
        if (!isOver(leg.call)) this.#enter(id, args.split(','));
      });
    } else {
      exchange.place({
        provider: 'asterisk',
        from,
        to,
        order,
        sid: id,
        // Whoever has the socket says what happens; the call lasts until somebody hangs up.
        script: (_, signal) =>
          new Promise<void>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason), { once: true });
            this.#enter(id, args.split(','));
          }),
        ended: (call) => this.#destroyed(call),
      });
      line = exchange.lines.get(id);
      if (line) exchange.claimAttempt(attemptKey(line.call));
    }
    if (!line) throw new Error('The call has no line.');
    const channel: Channel = {
      line,
      app,
      args: undefined,
      context: '',
      extension: '',
      variables: new Map(),
      playback: undefined,
      hasPressed: false,
    };
    this.#channels.set(id, channel);
    return this.#compose(channel);
  }

  hangUp(id: string): boolean {
    const line = this.#channels.get(id)?.line;
    if (!line) return false;
    if (line.call.answeredAt > 0) this.#carrier.exchange.end(line, 'completed');
    else this.#carrier.exchange.end(line, 'canceled', { sip: 487, result: 'Canceled' });
    return true;
  }

  /** The two extensions that the dialplan has; any other ends the call. */
  continueAt(id: string, context: string, extension: string): boolean {
    const channel = this.#channels.get(id);
    if (!channel) return false;
    channel.playback?.stop.abort();
    channel.args = undefined;
    channel.context = context;
    channel.extension = extension;
    const { line } = channel;
    this.#tell(channel, 'StasisEnd', { channel: this.#compose(channel) });
    if (context !== channel.app) return this.hangUp(id);
    if (extension === 'detect') {
      const [answeredBy, seconds] = judge(line, 'Enable');
      const verdict =
        answeredBy === 'human'
          ? ['HUMAN', 'HUMAN-800-800']
          : answeredBy === 'machine_start'
            ? ['MACHINE', 'LONGGREETING-1500-1500']
            : ['NOTSURE', 'TOOLONG-4900'];
      line.afterSeconds(seconds, () => this.#enter(id, ['detected', ...verdict]));
    } else if (extension === 'silence') this.#waitForSilence(id, line);
    else return this.hangUp(id);
    return true;
  }

  play(id: string, playbackId: string, media: readonly string[]): object {
    const channel = this.#channels.get(id);
    const stop = new AbortController();
    const told = {
      id: playbackId,
      media_uri: media[0] ?? '',
      target_uri: `channel:${id}`,
      language: 'en',
      state: 'queued',
    };
    if (!channel) return told;
    channel.playback = { id: playbackId, stop };
    channel.line.over.addEventListener('abort', () => stop.abort(), { once: true });
    this.#tell(channel, 'PlaybackStarted', { playback: { ...told, state: 'playing' } });
    this.#pressLater(channel);
    const finish = (state: 'done' | 'failed') => {
      if (channel.playback?.id === playbackId) channel.playback = undefined;
      if (this.#channels.has(id)) this.#tell(channel, 'PlaybackFinished', { playback: { ...told, state } });
    };
    this.#playAll(channel.line, media, stop.signal).then(
      () => finish('done'),
      (error: unknown) => {
        if (error instanceof DocumentError) {
          channel.line.call.troubles.push({ code: error.code, message: error.message });
          finish('failed');
        } else finish('done');
      },
    );
    return told;
  }

  isPlaying(playbackId: string): boolean {
    return [...this.#channels.values()].some(({ playback }) => playback?.id === playbackId);
  }

  stopPlayback(playbackId: string): boolean {
    const channel = [...this.#channels.values()].find(({ playback }) => playback?.id === playbackId);
    channel?.playback?.stop.abort();
    return channel !== undefined;
  }

  setVariable(id: string, name: string, value: string): boolean {
    this.#channels.get(id)?.variables.set(name, value);
    return true;
  }

  readVariable(id: string, name: string): string | undefined {
    return this.#channels.get(id)?.variables.get(name) || undefined;
  }

  record(
    id: string,
    name: string,
    { mostSeconds, endKeys }: { mostSeconds: number; endKeys: string },
  ): object {
    const told = { name, format: 'wav', target_uri: `channel:${id}`, state: 'queued' };
    const channel = this.#channels.get(id);
    if (channel) void this.#record(channel, told, { mostSeconds, endKeys });
    return told;
  }

  createBridge(id: string): object {
    this.#bridges.set(id, []);
    return { id, technology: 'simple_bridge', bridge_type: 'mixing', bridge_class: 'stasis', channels: [] };
  }

  connect(bridgeId: string, ids: readonly string[]): boolean {
    const [first, second] = ids.map((id) => this.#channels.get(id)?.line);
    if (!this.#bridges.has(bridgeId) || !first || !second) return false;
    const { exchange } = this.#carrier;
    this.#bridges.set(bridgeId, [...ids]);
    first.peer = second;
    second.peer = first;
    for (const line of [first, second]) exchange.note(line.call, 'Connected');
    second.afterSeconds(talkSeconds, () => {
      if (!second.call.byHand) exchange.end(second, 'completed');
    });
    return true;
  }

  deleteBridge(bridgeId: string): boolean {
    for (const id of this.#bridges.get(bridgeId) ?? []) {
      const line = this.#channels.get(id)?.line;
      if (line) line.peer = undefined;
    }
    return this.#bridges.delete(bridgeId);
  }

  async #playAll(line: Line, media: readonly string[], signal: AbortSignal): Promise<void> {
    const { sounds } = this.#carrier.exchange;
    for (const one of media) {
      signal.throwIfAborted();
      if (one.startsWith('tone:')) {
        await line.wait(toneSeconds, signal);
        continue;
      }
      if (one.startsWith('recording:')) {
        await line.wait(2, signal);
        continue;
      }
      const source = { url: one.replace(/^sound:/, '') };
      const { seconds: length, text, isSilent } = await sounds.get(source);
      if (isSilent) await line.wait(length, signal);
      else await line.sound(source, { length, text }, signal);
    }
  }

  async #record(
    channel: Channel,
    told: { name: string; format: string; target_uri: string },
    { mostSeconds, endKeys }: { mostSeconds: number; endKeys: string },
  ): Promise<void> {
    const { exchange } = this.#carrier;
    const { line } = channel;
    const startedAt = Date.now();
    const frames: Buffer[] = [];
    const stop = new AbortController();
    const listen = (key: string) => {
      if (endKeys.includes(key)) stop.abort();
    };
    line.keyListeners.add(listen);
    line.recorder = (frame) => frames.push(frame);
    line.over.addEventListener('abort', () => stop.abort(), { once: true });
    exchange.note(line.call, 'Recording');
    this.#tell(channel, 'RecordingStarted', { recording: { ...told, state: 'recording' } });
    await line
      .wait(Math.min(mostSeconds, recordingSeconds(recordTimeout)), stop.signal)
      .catch(() => undefined);
    line.recorder = undefined;
    line.keyListeners.delete(listen);
    const recording = await keepRecording(exchange, line.call, {
      frames,
      seconds: secondsBetween(line.call, startedAt, Date.now()),
      startedAt,
      isTrimmed: true,
    });
    this.recordings.set(told.name, recording.sid);
    const duration = Math.round(recording.seconds);
    this.#tell(channel, 'RecordingFinished', { recording: { ...told, state: 'done', duration } });
  }

  #waitForSilence(id: string, line: Line): void {
    if (line.call.pickedUpBy !== 'Machine') {
      line.afterSeconds(greetingOf(line) + silenceSeconds, () => this.#enter(id, ['silent']));
      return;
    }
    const look = () => {
      if (line.call.mailboxFrom > 0) this.#enter(id, ['silent']);
      else line.afterSeconds(keySeconds, look);
    };
    look();
  }

  /** Without anybody at the socket nobody would say anything: Asterisk hangs up. */
  #enter(id: string, args: string[]): void {
    const channel = this.#channels.get(id);
    if (!channel || isOver(channel.line.call)) return;
    if (!this.#sockets.has(channel.app)) {
      this.hangUp(id);
      return;
    }
    channel.args = args;
    const listen = (digit: string) =>
      this.#tell(channel, 'ChannelDtmfReceived', {
        digit,
        duration_ms: 100,
        channel: this.#compose(channel),
      });
    if (channel.line.keyListeners.size === 0) channel.line.keyListeners.add(listen);
    this.#tell(channel, 'StasisStart', { args, channel: this.#compose(channel) });
  }

  /** Whoever presses keys does so some seconds after the first words. */
  #pressLater(channel: Channel): void {
    const { line } = channel;
    if (channel.hasPressed || line.presses === '' || line.call.pickedUpBy !== 'Person') return;
    channel.hasPressed = true;
    line.afterSeconds(pressAfterSeconds, () => {
      if (line.call.byHand) return;
      for (const [index, key] of [...line.presses].entries()) {
        line.afterSeconds(index * keySeconds, () => line.press(key));
      }
    });
  }

  #destroyed(call: Call): void {
    const channel = this.#channels.get(call.sid);
    if (!channel) return;
    const composed = this.#compose(channel);
    this.#channels.delete(call.sid);
    const isUnanswered = call.status === 'no-answer';
    const sip = isUnanswered ? 480 : call.sip;
    const isRefused = call.answeredAt === 0 && sip !== undefined && sip !== 487;
    this.#tell(channel, 'ChannelDestroyed', {
      cause: isUnanswered ? 19 : isRefused ? (causes[sip] ?? 38) : 16,
      cause_txt: isRefused ? 'Refused' : 'Normal Clearing',
      ...(isRefused && { tech_cause: sip }),
      channel: composed,
    });
  }

  #tell({ app }: Channel, type: string, more: object): void {
    this.#sockets.get(app)?.send(this.#event(app, type, more));
  }

  #event(application: string, type: string, more: object): object {
    return { type, application, timestamp: new Date().toISOString(), asterisk_id: 'sandbox', ...more };
  }

  #compose({ line, app, args, context, extension }: Channel): object {
    const { call } = line;
    const party = (number: string) => ({ name: '', number: number === '' ? '' : `+${number}` });
    const isHere = args !== undefined;
    return {
      id: call.sid,
      name: `PJSIP/trunk-${call.seq.toString(16).padStart(8, '0')}`,
      state: call.answeredAt > 0 ? 'Up' : call.status === 'ringing' ? 'Ringing' : 'Down',
      protocol_id: call.sid,
      caller: party(call.to),
      connected: party(call.from),
      accountcode: '',
      dialplan: {
        context: context === '' ? 'from-trunk' : context,
        exten: extension === '' ? 's' : extension,
        priority: 1,
        app_name: isHere ? 'Stasis' : extension === '' ? 'AppDial2' : 'AMD',
        app_data: isHere ? [app, ...args].join(',') : '',
      },
      creationtime: new Date(call.createdAt).toISOString(),
      language: 'en',
    };
  }
}
