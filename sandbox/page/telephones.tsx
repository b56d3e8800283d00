import { Plus, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { AddPhone } from './add-phone.tsx';
import type { Phone, PhoneCall } from './api.ts';
import { CallPanel } from './call-panel.tsx';
import { useCalls } from './calls-store.ts';
import { Handset } from './handset.tsx';
import { currentCall, useSandbox } from './store.ts';

export function Telephones() {
  const { phones, loaded, messages, calls, ringing, numbers } = useSandbox();
  const { shown } = useCalls();
  const [adding, setAdding] = useState(false);
  const shownPhone = phones.find((phone) => phone.Number === shown);
  const shownCall = calls.get(shown ?? '')?.at(-1);
  return (
    <div className="desk">
      <div className="head">
        <div>
          <h1>Phones</h1>
          <p>{describeDesk(phones, calls)}</p>
        </div>
        <button type="button" className="button primary" onClick={() => setAdding(true)}>
          <Plus size={16} strokeWidth={1.75} aria-hidden />
          Add a phone
        </button>
      </div>
      {loaded && phones.length === 0 && (
        <div className="empty">
          <Smartphone size={28} strokeWidth={1.5} aria-hidden />
          <h2>No phones yet</h2>
          <p>Add one by its number, or text or call someone from Muster and their phone appears here.</p>
        </div>
      )}
      <div className={shownPhone && shownCall ? 'with-panel' : undefined}>
        <ul className="handsets" aria-label="Phones">
          {phones.map((phone) => (
            <Handset
              key={phone.Number}
              phone={phone}
              messages={messages.get(phone.Number) ?? []}
              calls={calls.get(phone.Number) ?? []}
              ringing={ringing.has(phone.Number)}
              numbers={numbers}
            />
          ))}
        </ul>
        {shownPhone && shownCall && <CallPanel phone={shownPhone} call={shownCall} numbers={numbers} />}
      </div>
      {adding && <AddPhone onClose={() => setAdding(false)} />}
    </div>
  );
}

const counts = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

function describeDesk(phones: readonly Phone[], calls: ReadonlyMap<string, readonly PhoneCall[]>): string {
  const busy = phones.filter((phone) => currentCall(calls.get(phone.Number)) !== undefined).length;
  if (busy === 0) return 'Everything Muster sends rings or arrives here. Nothing leaves this computer.';
  const many = counts[busy] ?? String(busy);
  const all = counts[phones.length]?.toLowerCase() ?? String(phones.length);
  return `${many} of ${all} ${busy === 1 ? 'is' : 'are'} on a call. After the sixth ring, voicemail picks up.`;
}
