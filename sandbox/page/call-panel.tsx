import { Phone as PhoneIcon, PhoneOff, Volume2, VolumeX, X } from 'lucide-react';
import { useEffect } from 'react';
import type { Phone, PhoneCall, ServedNumber } from './api.ts';
import {
  formatSeconds,
  type Heard,
  heardSeconds,
  nameOf,
  otherNumber,
  splitSentences,
  talkingSeconds,
} from './call-words.ts';
import { act, showCall, toggleListening, useCalls } from './calls-store.ts';
import { formatNumber, formatTime } from './format.ts';
import { useNow } from './use-now.ts';
import { Waveform } from './waveform.tsx';

type Props = { phone: Phone; call: PhoneCall; numbers: ReadonlyMap<string, ServedNumber> };

/** One call from beginning to end: what is heard, and what the carrier knows of it. */
export function CallPanel({ phone, call, numbers }: Props) {
  const now = useNow(250);
  const { listening } = useCalls();
  const owner = phone.Name ?? formatNumber(phone.Number);
  const isUp = call.State === 'InCall' || call.State === 'Voicemail';
  const isListening = listening.has(call.CallID);
  const last = call.Heard.findLast(({ Playing }) => Playing) ?? call.Heard.at(-1);
  useKeyboard(phone.Number, call);
  return (
    <aside className="call-panel" aria-label={`${owner}’s call`}>
      <div className="panel-head">
        <div>
          <h2>{owner}’s call</h2>
          <span>
            {call.Direction === 'in' ? 'From' : 'To'} {nameOf(otherNumber(call), numbers)}
          </span>
        </div>
        <span className={isUp ? 'pill success' : 'pill neutral'}>
          <PhoneIcon size={13} strokeWidth={2} aria-hidden />
          {call.State === 'Ended' ? 'Ended' : formatSeconds(talkingSeconds(call, now))}
        </span>
        <button
          type="button"
          className="icon-button"
          aria-label="Close this panel"
          title="Close this panel"
          onClick={() => showCall(undefined)}
        >
          <X size={18} strokeWidth={1.75} aria-hidden />
        </button>
      </div>
      {last && (
        <div className="panel-sound">
          <button
            type="button"
            className="listen"
            aria-pressed={isListening}
            aria-label="Listen on this computer"
            title="Listen on this computer"
            disabled={!isUp}
            onClick={() => toggleListening(phone.Number, call)}
          >
            {isListening ? (
              <Volume2 size={18} strokeWidth={1.75} aria-hidden />
            ) : (
              <VolumeX size={18} strokeWidth={1.75} aria-hidden />
            )}
          </button>
          <Waveform sound={last.Sound} bars={60} progress={heardSeconds(last, now) / last.Length} />
          <span className="panel-times">
            <span>{isListening && last.Playing ? 'Playing on this computer' : 'Message'}</span>
            <span>
              {formatSeconds(heardSeconds(last, now))} of {formatSeconds(last.Length)}
            </span>
          </span>
        </div>
      )}
      {call.Heard.length > 0 && <Transcript call={call} now={now} />}
      <div className="panel-part">
        <div className="panel-title">
          <h3>What happened</h3>
          <span>from the carrier</span>
        </div>
        <ol className="happened">
          {call.Events.map(({ At, Text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: events are only added at the end
            <li key={index}>
              <time dateTime={At}>{formatTime(At)}</time>
              <span className={Text.startsWith('Error') ? 'bad' : undefined}>{Text}</span>
            </li>
          ))}
        </ol>
      </div>
      {isUp && (
        <div className="panel-foot">
          <span>
            <kbd>0</kbd> to <kbd>9</kbd> <kbd>*</kbd> <kbd>#</kbd> press its keys
          </span>
          <button
            type="button"
            className="button danger"
            onClick={() => void act(phone.Number, call.CallID, 'HangUp')}
          >
            <PhoneOff size={16} strokeWidth={1.75} aria-hidden />
            Hang up
          </button>
        </div>
      )}
    </aside>
  );
}

/** The keyboard presses the phone's keys, unless somebody types a text. */
function useKeyboard(number: string, call: PhoneCall): void {
  const isOpen = call.State === 'InCall';
  const { CallID } = call;
  useEffect(() => {
    if (!isOpen) return;
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select');
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (/^[0-9*#]$/.test(event.key)) void act(number, CallID, 'Press', event.key);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [number, CallID, isOpen]);
}

function Transcript({ call, now }: { call: PhoneCall; now: Date }) {
  const start = Date.parse(call.AnsweredAt ?? call.StartedAt);
  const lines = call.Heard.flatMap((heard) => {
    const from = (Date.parse(heard.At) - start) / 1000;
    const isNow = (a: number, b: number) => {
      const at = heardSeconds(heard, now);
      return heard.Playing && at >= a && at < b;
    };
    if (heard.Text === undefined) {
      return [{ at: from, text: describeSilent(heard), isSaid: isNow(0, heard.Length), isCut: false }];
    }
    return splitSentences(heard.Text, heard.Length).map((sentence) => ({
      at: from + sentence.from,
      text: sentence.text,
      isSaid: isNow(sentence.from, sentence.until),
      isCut: heardSeconds(heard, now) < sentence.from,
    }));
  });
  return (
    <ol className="transcript" aria-label="What is heard">
      {lines.map(({ at, text, isSaid, isCut }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: sentences are only added at the end
          key={index}
          className={isSaid ? 'said-now' : isCut ? 'unsaid' : undefined}
        >
          <span className="said-at">{formatSeconds(at)}</span>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}

function describeSilent({ Length }: Heard): string {
  return `A recorded message of ${formatSeconds(Length)}`;
}
