import { createHmac } from 'node:crypto';
import { languages } from '../../contract/reference/languages.ts';
import { passFor } from '../media-links.ts';
import { createAsteriskControl } from './asterisk-control.ts';
import { openAsteriskEvents } from './asterisk-events.ts';
import { openAsteriskLine } from './asterisk-line.ts';
import type { CallProvider, Placed, SeenCall } from './calls.ts';
import { HookRefused } from './carrier.ts';
import { type Exchange, parseObject } from './carrier-line.ts';
import { equalSecrets } from './equal-secrets.ts';
import type { SaidWords } from './words-of-calls.ts';

interface AsteriskCallSettings {
  url: string;
  user: string;
  password: string;
  /** Its name in Asterisk, and of its context in the dialplan. */
  app: string;
  /** The format for dialing a number: PJSIP/+{number}@trunk. */
  endpoint: string;
  publicUrl: string;
}

/** Between language and words in a URL. Base64url has no such character. */
const languageMark = '~';
const wrongSettingMs = 30_000;
const notConnectedMs = 2_000;
/** A trunk that is down now may soon work again. */
const noTrunkMs = 10_000;
/** Calls that we hung up while they rang are remembered until Asterisk reports their end. */
const mostHungUp = 10_000;

/**
 * Calls over your own SIP trunk: an Asterisk that we control over its REST interface (ARI). Our key is the
 * channel's id, and a second call with it is refused while the first one exists. Afterwards it wouldn't be,
 * so a call in doubt is only looked up.
 */
export function asteriskCalls(settings: AsteriskCallSettings): CallProvider {
  const line = openAsteriskLine(settings);
  const hungUp = new Set<string>();
  const endpointOf = (phone: string) => settings.endpoint.replace('{number}', phone);
  const wordsUrl = ({ language, words }: SaidWords) => {
    const said = Buffer.from(words).toString('base64url');
    const path = language === 'en' ? said : `${language}${languageMark}${said}`;
    const address = `/media/words/${signWords(settings.password, path)}/${path}.ulaw`;
    return `${settings.publicUrl}${address}?pass=${passFor(settings.password, address, 'page')}`;
  };
  let control: ReturnType<typeof createAsteriskControl> | undefined;
  let events: ReturnType<typeof openAsteriskEvents> | undefined;
  let closing: Promise<void> | undefined;

  const look = async (id: string): Promise<SeenCall | undefined> => {
    const channel = await line.findChannel(id);
    if (channel === undefined) return undefined;
    return { sid: id, state: channel.state === 'Up' ? 'up' : 'ringing', answeredBy: null, seconds: null };
  };

  return {
    aggregatorId: 7,
    name: 'Asterisk',
    refusesRepeats: false,
    mayPlace: () => events?.isOpen() === true,
    async place({ key, from, to, ringSeconds, detectMachine }) {
      // A phone would ring, and the call would stay silent.
      if (events?.isOpen() !== true)
        return {
          outcome: 'later',
          afterMs: notConnectedMs,
          reason: 'This process has no connection to Asterisk.',
        };
      return readPlaced(
        key,
        await line.originate({
          channelId: key,
          endpoint: endpointOf(to),
          appArgs: detectMachine ? 'call,detect' : 'call',
          callerId: `+${from}`,
          timeout: ringSeconds,
        }),
      );
    },
    find: ({ key }) => look(key),
    look: (sid) => look(sid),
    async playVoicemail(sid) {
      control?.toVoicemail(sid);
      await line.setVariable(sid, '');
      return line.continueAt(sid, 'silence');
    },
    hangUp(sid) {
      if (hungUp.size < mostHungUp) hungUp.add(sid);
      return line.hangUp(sid);
    },
    stopRinging: (sid) => line.hangUp(sid),
    readHook() {
      throw new HookRefused('Asterisk has no webhooks.');
    },
    writeSteps: () => ({ contentType: 'text/plain', body: '' }),
    hookReply: { contentType: 'text/plain', body: '' },
    async fetchRecording(url, mostBytes) {
      const name = line.recordingName(url);
      if (name === undefined) throw new Error('The recording is not on the provider’s own host.');
      return line.fetchRecording(name, mostBytes);
    },
    async deleteRecording(url) {
      const name = line.recordingName(url);
      if (name !== undefined) await line.deleteRecording(name);
    },
    verifyCallerId: () => Promise.reject(new Error('Your own trunk verifies no caller IDs by telephone.')),
    forgetCallerId: () => Promise.resolve(false),
    listen(ear) {
      control = createAsteriskControl({
        line,
        ear,
        publicUrl: settings.publicUrl,
        wordsUrl,
        endpointOf,
        wasHungUp: (id) => hungUp.delete(id),
      });
      const { heard, takeOver } = control;
      events = openAsteriskEvents(line, ear, { heard, opened: () => void takeOver() });
    },
    problem: () =>
      events?.isLost() === true ? 'Asterisk can’t be reached: no call begins until it can.' : undefined,
    close() {
      closing ??= (async () => {
        await events?.close();
        await control?.close();
        await line.close();
      })();
      return closing;
    },
  };
}

/** Only our own words are read aloud there. */
function signWords(password: string, path: string): string {
  return createHmac('sha256', password).update(`words ${path}`).digest('base64url').slice(0, 22);
}

/** The words in a URL from wordsUrl; undefined in any other. */
export function readWords(password: string, signature: string, path: string): SaidWords | undefined {
  if (!equalSecrets(signature, signWords(password, path))) return undefined;
  const [said = '', code] = path.split(languageMark).reverse();
  const words = Buffer.from(said, 'base64url').toString('utf8');
  return { language: languages.find((language) => language.code === code)?.code ?? 'en', words };
}

function readPlaced(key: string, exchange: Exchange): Placed {
  if (exchange.kind === 'lost')
    return { outcome: 'doubt', reason: `No answer of Asterisk: ${exchange.reason}.` };
  if (exchange.kind === 'unsent') {
    return { outcome: 'later', afterMs: 1000, reason: `Asterisk can’t be reached: ${exchange.reason}.` };
  }
  const { status, text } = exchange;
  // 409: it already exists.
  if ((status >= 200 && status < 300) || status === 409) return { outcome: 'placed', sid: key };
  if (status === 401 || status === 403 || status === 404) {
    return {
      outcome: 'later',
      afterMs: wrongSettingMs,
      reason: `Asterisk refuses the user, or has no ARI at this address (${status}).`,
    };
  }
  if (status === 400) {
    return {
      outcome: 'fault',
      reason: 'Asterisk doesn’t understand how numbers are dialed (ASTERISK_ENDPOINT).',
    };
  }
  if (status === 503 || parseObject(text)?.error === 'Allocation failed') {
    return { outcome: 'later', afterMs: noTrunkMs, reason: 'Asterisk’s trunk takes no calls at the moment.' };
  }
  return { outcome: 'doubt', reason: `Asterisk answered with an error (${status}).` };
}
