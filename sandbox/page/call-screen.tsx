import { AlarmClock, Mic, MicOff, Phone as PhoneIcon, PhoneOff, Voicemail } from 'lucide-react';
import type { Phone, PhoneCall, ServedNumber } from './api.ts';
import {
  formatSeconds,
  heardSeconds,
  nameOf,
  otherNumber,
  splitSentences,
  talkingSeconds,
} from './call-words.ts';
import { act, toggleMicrophone, useCalls } from './calls-store.ts';
import { formatNumber, initials } from './format.ts';
import { useNow } from './use-now.ts';
import { Waveform } from './waveform.tsx';

type Props = { phone: Phone; call: PhoneCall; numbers: ReadonlyMap<string, ServedNumber> };

const keys = [
  ['1', ''],
  ['2', 'ABC'],
  ['3', 'DEF'],
  ['4', 'GHI'],
  ['5', 'JKL'],
  ['6', 'MNO'],
  ['7', 'PQRS'],
  ['8', 'TUV'],
  ['9', 'WXYZ'],
  ['*', ''],
  ['0', '+'],
  ['#', ''],
] as const;

/** The screen of a phone while it rings or somebody talks on it. */
export function CallScreen(props: Props) {
  return props.call.State === 'Ringing' ? <Ringing {...props} /> : <Talking {...props} />;
}

function Ringing({ phone, call, numbers }: Props) {
  const other = otherNumber(call);
  const name = numbers.get(other)?.Name ?? null;
  const isOut = call.Direction === 'out';
  const does = (action: 'Answer' | 'Busy' | 'Voicemail' | 'LetItRing' | 'HangUp') => () =>
    void act(phone.Number, call.CallID, action);
  return (
    <div className="call-screen">
      <span className="call-kind">{isOut ? 'Calling' : 'Incoming call'}</span>
      <h3 className="caller">{name ?? formatNumber(other)}</h3>
      {name && <span className="caller-number">{formatNumber(other)}</span>}
      <span className="call-rings">
        <span className="call-avatar" aria-hidden="true">
          {initials(name)}
        </span>
      </span>
      {!isOut && (
        <div className="call-choices">
          <button type="button" onClick={does('LetItRing')} disabled={call.Rings === null}>
            <AlarmClock size={18} strokeWidth={1.75} aria-hidden />
            Let it ring
          </button>
          <button type="button" onClick={does('Voicemail')}>
            <Voicemail size={18} strokeWidth={1.75} aria-hidden />
            Voicemail
          </button>
        </div>
      )}
      <div className="call-buttons">
        <button type="button" className="call-button red" onClick={does(isOut ? 'HangUp' : 'Busy')}>
          <span className="disc">
            <PhoneOff size={26} strokeWidth={1.75} aria-hidden />
          </span>
          {isOut ? 'Hang up' : 'Decline'}
        </button>
        {!isOut && (
          <button type="button" className="call-button green" onClick={does('Answer')}>
            <span className="disc">
              <PhoneIcon size={26} strokeWidth={1.75} aria-hidden />
            </span>
            Answer
          </button>
        )}
      </div>
    </div>
  );
}

function Talking({ phone, call, numbers }: Props) {
  const now = useNow(250);
  const { speaking } = useCalls();
  const isSpeaking = speaking.has(call.CallID);
  return (
    <div className="call-screen talking">
      <h3 className="caller small">{nameOf(otherNumber(call), numbers)}</h3>
      <span className="call-time">{formatSeconds(talkingSeconds(call, now))}</span>
      <Caption call={call} now={now} />
      <output className="pressed" aria-label="Keys pressed">
        {call.Keys.slice(-8)}
      </output>
      <div className="keypad">
        {keys.map(([key, letters]) => (
          <button
            key={key}
            type="button"
            aria-label={key === '*' ? 'Star' : key === '#' ? 'Pound' : undefined}
            onClick={() => void act(phone.Number, call.CallID, 'Press', key)}
          >
            {key === '*' ? '∗' : key}
            {letters && <small aria-hidden="true">{letters}</small>}
          </button>
        ))}
      </div>
      <div className="call-buttons">
        <button
          type="button"
          className="call-button plain"
          aria-pressed={isSpeaking}
          onClick={() => void toggleMicrophone(phone.Number, call.CallID)}
        >
          <span className="disc">
            {isSpeaking ? (
              <Mic size={20} strokeWidth={1.75} aria-hidden />
            ) : (
              <MicOff size={20} strokeWidth={1.75} aria-hidden />
            )}
          </span>
          Microphone
        </button>
        <button
          type="button"
          className="call-button red"
          onClick={() => void act(phone.Number, call.CallID, 'HangUp')}
        >
          <span className="disc">
            <PhoneOff size={20} strokeWidth={1.75} aria-hidden />
          </span>
          Hang up
        </button>
      </div>
    </div>
  );
}

/** Shows what is heard now, with the sentence that is being said. */
function Caption({ call, now }: { call: PhoneCall; now: Date }) {
  const heard = call.Heard.findLast(({ Playing }) => Playing);
  if (!heard) {
    const words = call.Connected !== null ? 'You can talk now.' : call.Recording ? 'Recording' : 'Silence';
    return <p className="caption quiet-caption">{words}</p>;
  }
  const at = heardSeconds(heard, now);
  const sentences = heard.Text === undefined ? [] : splitSentences(heard.Text, heard.Length);
  const index = Math.max(
    0,
    sentences.findIndex(({ until }) => at < until),
  );
  return (
    <>
      <p className="caption">
        {sentences.length === 0 && 'A recorded message'}
        {sentences.slice(Math.max(0, index - 1), index + 2).map(({ text, from }) => (
          <span key={from} className={sentences[index]?.from === from ? 'said-now' : undefined}>
            {text}{' '}
          </span>
        ))}
      </p>
      <Waveform sound={heard.Sound} bars={48} progress={at / heard.Length} />
    </>
  );
}
