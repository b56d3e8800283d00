import { Clock, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { CarrierTab } from './carrier-tab.tsx';
import { formatClockAndZone } from './format.ts';
import { MailboxTab } from './mailbox-tab.tsx';
import { ProcessorTab } from './processor-tab.tsx';
import { RegistryTab } from './registry-tab.tsx';
import { connect, useSandbox } from './store.ts';
import { Telephones } from './telephones.tsx';
import { useNow } from './use-now.ts';

const tabs = [
  { id: 'telephones', label: 'Phones' },
  { id: 'carrier', label: 'Carrier' },
  { id: 'mailbox', label: 'Mailbox' },
  { id: 'registry', label: 'Registry' },
  { id: 'processor', label: 'Processor' },
] as const;
type TabId = (typeof tabs)[number]['id'];

function readTab(): TabId {
  return tabs.find(({ id }) => window.location.hash === `#${id}`)?.id ?? 'telephones';
}

export function App() {
  const [tab, setTab] = useState(readTab);
  const { online, phones, unreadMails, announcement } = useSandbox();

  useEffect(connect, []);
  useEffect(() => {
    const follow = () => setTab(readTab());
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    const label = tabs.find(({ id }) => id === tab)?.label;
    document.title = `${label} · Muster sandbox`;
  }, [tab]);

  return (
    <>
      <header className="bar">
        <span className="brand">
          <Mark />
          <span>Muster sandbox</span>
        </span>
        <nav aria-label="Sandbox">
          {tabs.map(({ id, label }) => (
            <a key={id} href={`#${id}`} className="tab" aria-current={tab === id ? 'page' : undefined}>
              {label}
              {id === 'telephones' && phones.length > 0 && <span className="tab-count">{phones.length}</span>}
              {id === 'mailbox' && unreadMails > 0 && (
                <span className="tab-count">
                  {unreadMails}
                  <span className="unseen"> unread</span>
                </span>
              )}
            </a>
          ))}
        </nav>
        <WallClock />
      </header>
      {!online && (
        <div className="notice warning" role="status">
          <WifiOff size={18} strokeWidth={1.75} aria-hidden />
          <span>
            <strong>The sandbox isn’t responding.</strong> This page reconnects automatically.
          </span>
        </div>
      )}
      <main>
        {tab === 'telephones' && <Telephones />}
        {tab === 'carrier' && <CarrierTab />}
        {tab === 'mailbox' && <MailboxTab />}
        {tab === 'registry' && <RegistryTab />}
        {tab === 'processor' && <ProcessorTab />}
      </main>
      <div className="unseen" role="status" aria-live="polite">
        {announcement}
      </div>
    </>
  );
}

/** Muster's logo with a dashed edge, to show that this isn't the product. */
function Mark() {
  return (
    <svg className="mark" viewBox="0 0 28 28" width="28" height="28" fill="none" aria-hidden="true">
      <rect x="1" y="1" width="26" height="26" rx="7" strokeWidth="1.5" strokeDasharray="3 2.6" />
      <path d="M8.5 18.5v-6a3 3 0 0 1 5.5-1.6 3 3 0 0 1 5.5 1.6v6M14 11.5v7" strokeWidth="2.4" />
    </svg>
  );
}

function WallClock() {
  const now = useNow(1000);
  return (
    <span className="wall-clock">
      <Clock size={16} strokeWidth={1.75} aria-hidden />
      {formatClockAndZone(now)}
    </span>
  );
}
