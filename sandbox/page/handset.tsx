import { BellRing, Moon, Power, Signal } from 'lucide-react';
import { useState } from 'react';
import { call, type Item, type Phone, type ServedNumber } from './api.ts';
import { formatClock, formatDay, formatNumber } from './format.ts';
import { PhoneMenu } from './phone-menu.tsx';
import { refreshPhone } from './store.ts';
import { Thread } from './thread.tsx';
import { groupThreads, ThreadList } from './thread-list.tsx';
import { useNow } from './use-now.ts';

type Props = {
  phone: Phone;
  messages: readonly Item[];
  ringing: boolean;
  numbers: ReadonlyMap<string, ServedNumber>;
};

export function Handset({ phone, messages, ringing, numbers }: Props) {
  const owner = phone.Name ?? formatNumber(phone.Number);
  const asleep = phone.State === 'Asleep';
  return (
    <li className="handset-place" aria-label={`${owner}’s phone`}>
      <div className="handset-head">
        <div className="handset-owner">
          <h2>{phone.Name ?? 'Unnamed phone'}</h2>
          <span>{formatNumber(phone.Number)}</span>
        </div>
        <StatePill asleep={asleep} ringing={ringing} />
        <PhoneMenu phone={phone} />
      </div>
      <div className={ringing && !asleep ? 'handset ringing' : 'handset'}>
        <span className="key silent" />
        <span className="key up" />
        <span className="key down" />
        <span className="key power" />
        <div className={asleep ? 'screen asleep' : 'screen'}>
          {asleep ? (
            <LockScreen phone={phone} />
          ) : (
            <Screen phone={phone} messages={messages} numbers={numbers} />
          )}
          <span className="island" />
        </div>
      </div>
      <p className="handset-foot">{describePhone(phone, messages)}</p>
    </li>
  );
}

function describePhone(phone: Phone, messages: readonly Item[]): string {
  if (phone.State === 'Asleep') {
    if (phone.Waiting === 0) return 'The carrier holds texts until the phone wakes up';
    return `The carrier is holding ${phone.Waiting === 1 ? '1 text' : `${phone.Waiting} texts`} until the phone wakes up`;
  }
  if (phone.Rule) return phone.Rule;
  return messages.length === 0
    ? 'Text this number from Muster to see it here'
    : 'Texts you type here arrive in Muster’s inbox';
}

function StatePill({ asleep, ringing }: { asleep: boolean; ringing: boolean }) {
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

function Screen({ phone, messages, numbers }: Omit<Props, 'ringing'>) {
  const [chosen, setChosen] = useState<Chosen>(undefined);
  const now = useNow(60_000);
  const threads = groupThreads(messages, numbers);
  const number = chosen === undefined ? threads.find(({ last }) => last)?.number : chosen;
  const thread = threads.find((each) => each.number === number);
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
      {thread ? (
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
