import { BellRing, Moon, Phone as PhoneIcon, Power, Signal, Voicemail } from 'lucide-react';
import { useState } from 'react';
import { call, type Item, type Phone, type PhoneCall, type ServedNumber } from './api.ts';
import { CallScreen } from './call-screen.tsx';
import { describeCall } from './call-words.ts';
import { useCalls } from './calls-store.ts';
import { DialScreen } from './dial-screen.tsx';
import { formatClock, formatDay, formatNumber } from './format.ts';
import { PhoneMenu } from './phone-menu.tsx';
import { currentCall, refreshPhone } from './store.ts';
import { Thread } from './thread.tsx';
import { groupThreads, ThreadList } from './thread-list.tsx';
import { useNow } from './use-now.ts';
import { VoicemailScreen } from './voicemail-screen.tsx';

type Props = {
  phone: Phone;
  messages: readonly Item[];
  calls: readonly PhoneCall[];
  ringing: boolean;
  numbers: ReadonlyMap<string, ServedNumber>;
};

/** The views of the screen while the phone is not in a call. */
export type View = 'texts' | 'dial' | 'voicemail';

export function Handset({ phone, messages, calls, ringing, numbers }: Props) {
  const [view, setView] = useState<View>('texts');
  const problem = useCalls().problems.get(phone.Number);
  const owner = phone.Name ?? formatNumber(phone.Number);
  const current = currentCall(calls);
  // A phone that is asleep is on silent, but it rings: its owner may pick it up.
  const asleep = phone.State === 'Asleep' && current === undefined && view === 'texts';
  const isRinging = current ? current.State === 'Ringing' && current.Direction === 'in' : ringing;
  return (
    <li className="handset-place" aria-label={`${owner}’s phone`}>
      <div className="handset-head">
        <div className="handset-owner">
          <h2>{phone.Name ?? 'Unnamed phone'}</h2>
          <span>{formatNumber(phone.Number)}</span>
        </div>
        <StatePill asleep={asleep} ringing={ringing} call={current} />
        <PhoneMenu phone={phone} onView={setView} />
      </div>
      <div className={isRinging && !asleep ? 'handset ringing' : 'handset'}>
        <span className="key silent" />
        <span className="key up" />
        <span className="key down" />
        <span className="key power" />
        <div className={screenClass(asleep, current)}>
          {asleep ? (
            <LockScreen phone={phone} />
          ) : (
            <Screen
              phone={phone}
              messages={messages}
              calls={calls}
              numbers={numbers}
              view={view}
              onView={setView}
            />
          )}
          <span className="island" />
        </div>
      </div>
      {problem ? (
        <p className="handset-foot bad" role="alert">
          {problem}
        </p>
      ) : (
        <Foot phone={phone} messages={messages} call={current} />
      )}
    </li>
  );
}

function screenClass(asleep: boolean, call: PhoneCall | undefined): string {
  if (asleep) return 'screen asleep';
  return call && call.State !== 'Voicemail' ? 'screen in-call' : 'screen';
}

function Foot({
  phone,
  messages,
  call: current,
}: {
  phone: Phone;
  messages: readonly Item[];
  call: PhoneCall | undefined;
}) {
  const now = useNow(1000);
  return (
    <p className="handset-foot">{current ? describeCall(current, now) : describePhone(phone, messages)}</p>
  );
}

function describePhone(phone: Phone, messages: readonly Item[]): string {
  if (phone.State === 'Asleep') {
    if (phone.Waiting === 0) return 'The carrier holds texts until the phone wakes up';
    return `The carrier is holding ${phone.Waiting === 1 ? '1 text' : `${phone.Waiting} texts`} until the phone wakes up`;
  }
  if (phone.Rule) return phone.Rule;
  if (phone.CallRule) return phone.CallRule;
  return messages.length === 0
    ? 'Text this number from Muster to see it here'
    : 'Texts you type here arrive in Muster’s inbox';
}

function StatePill({
  asleep,
  ringing,
  call: current,
}: {
  asleep: boolean;
  ringing: boolean;
  call: PhoneCall | undefined;
}) {
  if (current?.State === 'Voicemail') {
    return (
      <span className="pill neutral">
        <Voicemail size={13} strokeWidth={2} aria-hidden />
        Voicemail
      </span>
    );
  }
  if (current?.State === 'InCall') {
    return (
      <span className="pill success">
        <PhoneIcon size={13} strokeWidth={2} aria-hidden />
        In a call
      </span>
    );
  }
  if (current) {
    return (
      <span className="pill accent">
        <BellRing size={13} strokeWidth={2} aria-hidden />
        {current.Direction === 'in' ? 'Ringing' : 'Calling'}
      </span>
    );
  }
  if (asleep) {
    return (
      <span className="pill neutral">
        <Moon size={13} strokeWidth={2} aria-hidden />
        Asleep
      </span>
    );
  }
  if (ringing) {
    return (
      <span className="pill accent">
        <BellRing size={13} strokeWidth={2} aria-hidden />
        New text
      </span>
    );
  }
  return (
    <span className="pill success">
      <Signal size={13} strokeWidth={2} aria-hidden />
      Awake
    </span>
  );
}

function LockScreen({ phone }: { phone: Phone }) {
  const now = useNow(60_000);
  const wake = async () => {
    await call('PATCH', `/phones/${phone.Number}`, { State: 'Awake' });
    await refreshPhone(phone.Number);
  };
  return (
    <div className="lock">
      <span className="lock-time">{formatClock(now)}</span>
      <span className="lock-day">{formatDay(now)}</span>
      <button type="button" className="wake" onClick={() => void wake()}>
        <Power size={16} strokeWidth={1.75} aria-hidden />
        Wake
      </button>
    </div>
  );
}

/** Undefined: nothing chosen, so the latest conversation is open. Null: the list of conversations. */
type Chosen = string | null | undefined;

function Screen({
  phone,
  messages,
  calls,
  numbers,
  view,
  onView,
}: Omit<Props, 'ringing'> & { view: View; onView: (view: View) => void }) {
  const [chosen, setChosen] = useState<Chosen>(undefined);
  const now = useNow(60_000);
  const threads = groupThreads(messages, numbers);
  const number = chosen === undefined ? threads.find(({ last }) => last)?.number : chosen;
  const thread = threads.find((each) => each.number === number);
  const current = currentCall(calls);
  const toTexts = () => onView('texts');
  return (
    <>
      <div className="status-row" aria-hidden="true">
        <span>{formatClock(now)}</span>
        <span className="status-signs">
          <i className="signal">
            <b />
            <b />
            <b />
            <b />
          </i>
          <i className="battery">
            <b />
          </i>
        </span>
      </div>
      {current && current.State !== 'Voicemail' ? (
        <CallScreen phone={phone} call={current} numbers={numbers} />
      ) : current || view === 'voicemail' ? (
        <VoicemailScreen calls={calls} numbers={numbers} onBack={current ? undefined : toTexts} />
      ) : view === 'dial' ? (
        <DialScreen phone={phone} numbers={numbers} onBack={toTexts} />
      ) : thread ? (
        <Thread
          key={thread.number}
          phone={phone}
          thread={thread}
          messages={messages}
          now={now}
          onBack={threads.length > 1 ? () => setChosen(null) : undefined}
        />
      ) : (
        <ThreadList threads={threads} now={now} onChoose={setChosen} />
      )}
      <span className="home-bar" />
    </>
  );
}
