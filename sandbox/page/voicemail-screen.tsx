import { ChevronLeft, Pause, Play, Voicemail as VoicemailIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { PhoneCall, ServedNumber } from './api.ts';
import { playSound } from './call-sound.ts';
import { formatSeconds, nameOf, talkingSeconds } from './call-words.ts';
import { formatNumber, formatShort } from './format.ts';
import { useNow } from './use-now.ts';
import { Waveform } from './waveform.tsx';

type Props = {
  calls: readonly PhoneCall[];
  numbers: ReadonlyMap<string, ServedNumber>;
  onBack: (() => void) | undefined;
};

/** The messages that callers left, latest first, and the one that is being left right now. */
export function VoicemailScreen({ calls, numbers, onBack }: Props) {
  const now = useNow(1000);
  const [playing, setPlaying] = useState<string>();
  const stop = useRef<() => void>(() => undefined);
  useEffect(() => () => stop.current(), []);
  const live = calls.findLast(({ State }) => State === 'Voicemail');
  const kept = calls.filter(({ State, Voicemail }) => State === 'Ended' && (Voicemail?.Seconds ?? 0) > 0);
  const toggle = (call: PhoneCall) => {
    stop.current();
    if (playing === call.CallID) {
      stop.current = () => undefined;
      setPlaying(undefined);
      return;
    }
    stop.current = playParts(call.Voicemail?.Parts ?? [], () => setPlaying(undefined));
    setPlaying(call.CallID);
  };
  return (
    <div className="voicemail">
      <div className="voicemail-head">
        {onBack && (
          <button
            type="button"
            className="back"
            aria-label="Back to texts"
            title="Back to texts"
            onClick={onBack}
          >
            <ChevronLeft size={22} strokeWidth={2} aria-hidden />
          </button>
        )}
        <h3>Voicemail</h3>
      </div>
      {live && <Leaving call={live} numbers={numbers} now={now} />}
      {!live && kept.length === 0 && (
        <div className="no-texts">
          <VoicemailIcon size={26} strokeWidth={1.5} aria-hidden />
          <span>No messages</span>
        </div>
      )}
      <ul>
        {kept.toReversed().map((call) => {
          const name = nameOf(call.From, numbers);
          const isPlaying = playing === call.CallID;
          return (
            <li key={call.CallID}>
              <button type="button" onClick={() => toggle(call)}>
                <span className="play-mark" aria-hidden="true">
                  {isPlaying ? <Pause size={14} strokeWidth={2} /> : <Play size={14} strokeWidth={2} />}
                </span>
                <span className="voicemail-names">
                  <span className="unseen">{isPlaying ? 'Stop' : 'Play'} the message from</span>
                  <strong>{name}</strong>
                  <span>{formatShort(call.Voicemail?.At ?? call.StartedAt, now)}</span>
                </span>
                <span className="voicemail-length">{formatSeconds(call.Voicemail?.Seconds ?? 0)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Leaving({
  call,
  numbers,
  now,
}: {
  call: PhoneCall;
  numbers: ReadonlyMap<string, ServedNumber>;
  now: Date;
}) {
  const part = call.Voicemail?.Parts.at(-1);
  return (
    <div className="leaving">
      <span className="leaving-line">
        <strong>{nameOf(call.From, numbers)}</strong>
        <span className="recording-time">{formatSeconds(talkingSeconds(call, now))}</span>
      </span>
      <span>
        {formatNumber(call.From)} {call.Voicemail ? 'is leaving a message' : 'hears the greeting'}
      </span>
      {part && <Waveform sound={part.Sound} bars={44} progress={1} />}
      {part?.Text && <p>“{part.Text}”</p>}
    </div>
  );
}

/** One part after the other; the returned function stops it. */
function playParts(parts: NonNullable<PhoneCall['Voicemail']>['Parts'], done: () => void): () => void {
  let stopPart: () => void = () => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = (index: number) => {
    const part = parts[index];
    if (!part) {
      done();
      return;
    }
    stopPart = playSound(part.Sound, part.From, part.Seconds);
    timer = setTimeout(() => next(index + 1), part.Seconds * 1000 + 150);
  };
  next(0);
  return () => {
    clearTimeout(timer);
    stopPart();
  };
}
