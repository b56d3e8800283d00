import { type Exchange, isRecord, openCarrierLine } from './carrier-line.ts';

/** The relevant fields of a channel in Asterisk's REST interface (ARI). */
export interface Channel {
  id: string;
  state: string;
  dialplan: { context: string; app_name: string; app_data: string };
}

/**
 * The calls of ARI that we use. Those that change a channel return whether it existed; none of them throws.
 */
export interface AsteriskLine {
  originate(order: {
    channelId: string;
    endpoint: string;
    appArgs: string;
    callerId: string;
    timeout: number;
    originator?: string;
  }): Promise<Exchange>;
  /** Undefined when Asterisk doesn't know it. Throws when the request fails. */
  findChannel(id: string): Promise<Channel | undefined>;
  listChannels(): Promise<Channel[]>;
  hangUp(id: string): Promise<boolean>;
  /** Continues in the dialplan, at an extension of the context that has the application's name. */
  continueAt(id: string, extension: string): Promise<boolean>;
  play(id: string, playbackId: string, media: readonly string[]): Promise<boolean>;
  isPlaying(playbackId: string): Promise<boolean>;
  stopPlaying(playbackId: string): Promise<boolean>;
  setVariable(id: string, value: string): Promise<boolean>;
  /** '' if there is none. */
  readVariable(id: string): Promise<string>;
  record(id: string, name: string, mostSeconds: number): Promise<boolean>;
  deleteRecording(name: string): Promise<boolean>;
  bridge(bridgeId: string, channels: readonly string[]): Promise<boolean>;
  unbridge(bridgeId: string): Promise<boolean>;
  fetchRecording(name: string, mostBytes: number): Promise<Buffer>;
  recordingUrl(name: string): string;
  /** The reverse; undefined if it isn't one of ours. */
  recordingName(url: string): string | undefined;
  /** The URL of its events, and the header that authorizes it. */
  events: { url: string; authorization: string };
  app: string;
  close(): Promise<void>;
}

export interface AsteriskSettings {
  url: string;
  user: string;
  password: string;
  app: string;
}

/** The data saved in a channel, so that another process can continue it. */
const variable = 'MUSTER';
/** Silence after which a recording ends. */
const silenceSeconds = 5;

export function openAsteriskLine({ url, user, password, app }: AsteriskSettings): AsteriskLine {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const base = `${url.replace(/\/+$/, '')}/ari`;
  const line = openCarrierLine(base, authorization);
  const query = (values: Record<string, string | number>) =>
    new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString();
  const one = (id: string) => encodeURIComponent(id);
  const isDone = (exchange: Exchange) =>
    exchange.kind === 'reply' && exchange.status >= 200 && exchange.status < 300;
  const post = async (path: string) => isDone(await line.post(path, 'application/json', ''));
  const remove = async (path: string) => isDone(await line.delete(path));
  const read = async (path: string): Promise<unknown> => {
    const exchange = await line.get(path);
    if (exchange.kind !== 'reply') throw new Error(`Asterisk can’t be asked: ${exchange.reason}.`);
    if (exchange.status === 404) return undefined;
    if (exchange.status !== 200) throw new Error(`Asterisk can’t be read: it answered ${exchange.status}.`);
    return JSON.parse(exchange.text);
  };
  const recordings = `${base}/recordings/stored/`;

  return {
    app,
    originate: (order) =>
      line.post('/channels', 'application/json', JSON.stringify({ ...order, app, formats: 'ulaw' })),
    findChannel: async (id) => readChannel(await read(`/channels/${one(id)}`)),
    async listChannels() {
      const listed = await read('/channels');
      return Array.isArray(listed) ? listed.map(readChannel).filter((channel) => channel !== undefined) : [];
    },
    hangUp: (id) => remove(`/channels/${one(id)}?reason=normal`),
    continueAt: (id, extension) =>
      post(`/channels/${one(id)}/continue?${query({ context: app, extension, priority: 1 })}`),
    play: (id, playbackId, media) =>
      post(`/channels/${one(id)}/play/${one(playbackId)}?${query({ media: media.join(',') })}`),
    isPlaying: async (playbackId) => (await read(`/playbacks/${one(playbackId)}`)) !== undefined,
    stopPlaying: (playbackId) => remove(`/playbacks/${one(playbackId)}`),
    setVariable: (id, value) => post(`/channels/${one(id)}/variable?${query({ variable, value })}`),
    async readVariable(id) {
      const found = await read(`/channels/${one(id)}/variable?${query({ variable })}`);
      return isRecord(found) && typeof found.value === 'string' ? found.value : '';
    },
    record: (id, name, mostSeconds) =>
      post(
        `/channels/${one(id)}/record?${query({
          name,
          format: 'wav',
          maxDurationSeconds: mostSeconds,
          maxSilenceSeconds: silenceSeconds,
          ifExists: 'overwrite',
          beep: 'true',
          terminateOn: '#',
        })}`,
      ),
    deleteRecording: (name) => remove(`/recordings/stored/${one(name)}`),
    async bridge(bridgeId, channels) {
      if (!(await post(`/bridges/${one(bridgeId)}?${query({ type: 'mixing' })}`))) return false;
      return post(`/bridges/${one(bridgeId)}/addChannel?${query({ channel: channels.join(',') })}`);
    },
    unbridge: (bridgeId) => remove(`/bridges/${one(bridgeId)}`),
    async fetchRecording(name, mostBytes) {
      const { statusCode, body } = await line.pool.request({
        method: 'GET',
        path: `${new URL(recordings).pathname}${one(name)}/file`,
        headers: line.headers,
      });
      if (statusCode !== 200) {
        await body.dump();
        throw new Error(`Asterisk doesn’t give the recording: it answered ${statusCode}.`);
      }
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of body) {
        size += chunk.length;
        if (size > mostBytes) throw new Error('The recording is too long.');
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    },
    recordingUrl: (name) => `${recordings}${one(name)}/file`,
    recordingName(given) {
      if (!given.startsWith(recordings) || !given.endsWith('/file')) return undefined;
      return decodeURIComponent(given.slice(recordings.length, -'/file'.length));
    },
    events: { url: `${base.replace(/^http/, 'ws')}/events?${query({ app })}`, authorization },
    close: () => line.close(),
  };
}

/** Undefined for anything but a channel. */
export function readChannel(value: unknown): Channel | undefined {
  if (!isRecord(value) || typeof value.id !== 'string' || typeof value.state !== 'string') return undefined;
  const dialplan = isRecord(value.dialplan) ? value.dialplan : {};
  return {
    id: value.id,
    state: value.state,
    dialplan: {
      context: String(dialplan.context ?? ''),
      app_name: String(dialplan.app_name ?? ''),
      app_data: String(dialplan.app_data ?? ''),
    },
  };
}
