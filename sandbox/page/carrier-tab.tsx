import { useEffect, useState } from 'react';
import { call, type Faults, type ServedNumber, type Settings, type Stats } from './api.ts';
import { FaultForm } from './fault-form.tsx';
import { formatCount, formatNumber } from './format.ts';
import { SettingsForm } from './settings-form.tsx';
import { useSandbox } from './store.ts';

const figures: readonly { name: keyof Stats; label: string; bad?: true }[] = [
  { name: 'Accepted', label: 'messages accepted' },
  { name: 'Delivered', label: 'delivered' },
  { name: 'Failed', label: 'failed', bad: true },
  { name: 'Pending', label: 'in transit' },
];

const details: readonly { name: keyof Stats; label: string }[] = [
  { name: 'Requests', label: 'Send requests' },
  { name: 'Refused', label: 'Refused immediately' },
  { name: 'Silent', label: 'No receipt ever sent' },
  { name: 'DuplicatesByKey', label: 'Duplicate IDs refused' },
  { name: 'DuplicatesByNumberAndText', label: 'Duplicate texts to one number' },
  { name: 'ReceiptsSent', label: 'Receipts accepted by Muster' },
  { name: 'ReceiptRequests', label: 'Requests with receipts' },
  { name: 'WebhookFailures', label: 'Requests Muster didn’t accept' },
  { name: 'Inbound', label: 'Texts from phones' },
  { name: 'CallsPlaced', label: 'Calls placed' },
  { name: 'CallsRepeated', label: 'Calls placed again for one attempt' },
  { name: 'CallsRefused', label: 'Calls refused immediately' },
  { name: 'CallsQueued', label: 'Calls waiting to start' },
  { name: 'CallsInFlight', label: 'Calls in progress' },
  { name: 'CallsEnded', label: 'Calls ended' },
  { name: 'CallsReceived', label: 'Calls from phones' },
  { name: 'CallTroubles', label: 'Call documents that could not be run' },
];

export function CarrierTab() {
  const { stats, numbers } = useSandbox();
  const [faults, setFaults] = useState<Faults>();
  const [settings, setSettings] = useState<Settings>();
  useEffect(() => {
    void call<Faults>('GET', '/faults').then(setFaults, () => undefined);
    void call<Settings>('GET', '/settings').then(setSettings, () => undefined);
  }, []);
  return (
    <div className="desk">
      <div className="head">
        <div>
          <h1>Carrier</h1>
          <p>Simulates Infobip and Twilio, including the ways real carriers fail.</p>
        </div>
      </div>
      <dl className="figures">
        {figures.map(({ name, label, bad }) => (
          <div key={name}>
            <dd className={bad && stats && stats[name] > 0 ? 'bad' : undefined}>
              {stats ? formatCount(stats[name]) : '–'}
            </dd>
            <dt>{label}</dt>
          </div>
        ))}
      </dl>
      <div className="columns">
        <div className="stack">
          <section className="card">
            <h2>Faults</h2>
            {faults && <FaultForm faults={faults} onChange={setFaults} />}
          </section>
          <section className="card">
            <h2>Behavior</h2>
            {settings && <SettingsForm settings={settings} onChange={setSettings} />}
          </section>
        </div>
        <div className="stack">
          <section className="card">
            <h2>Statistics</h2>
            <dl className="rows">
              {details.map(({ name, label }) => (
                <div key={name} className="row">
                  <dt>{label}</dt>
                  <dd>{stats ? formatCount(stats[name]) : '–'}</dd>
                </div>
              ))}
            </dl>
          </section>
          <section className="card">
            <h2>Muster’s numbers</h2>
            <Numbers numbers={[...numbers.values()]} />
          </section>
        </div>
      </div>
    </div>
  );
}

function Numbers({ numbers }: { numbers: readonly ServedNumber[] }) {
  if (numbers.length === 0)
    return <p className="quiet">None yet. A number appears when it sends or gets its first text.</p>;
  return (
    <dl className="rows">
      {numbers.map(({ Number: number, Name, Provider }) => (
        <div key={number} className="row">
          <dt>
            {formatNumber(number)}
            {Name && <span className="quiet"> · {Name}</span>}
          </dt>
          <dd>{{ infobip: 'Infobip', smpp: 'SMPP', twilio: 'Twilio' }[Provider]}</dd>
        </div>
      ))}
    </dl>
  );
}
