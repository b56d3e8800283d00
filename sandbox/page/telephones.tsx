import { Plus, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { AddPhone } from './add-phone.tsx';
import { Handset } from './handset.tsx';
import { useSandbox } from './store.ts';

export function Telephones() {
  const { phones, loaded, messages, ringing, numbers } = useSandbox();
  const [adding, setAdding] = useState(false);
  return (
    <div className="desk">
      <div className="head">
        <div>
          <h1>Phones</h1>
          <p>Every text Muster sends arrives here. Nothing leaves this computer.</p>
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
          <p>Add one by its number, or text someone from Muster and their phone appears here.</p>
        </div>
      )}
      <ul className="handsets" aria-label="Phones">
        {phones.map((phone) => (
          <Handset
            key={phone.Number}
            phone={phone}
            messages={messages.get(phone.Number) ?? []}
            ringing={ringing.has(phone.Number)}
            numbers={numbers}
          />
        ))}
      </ul>
      {adding && <AddPhone onClose={() => setAdding(false)} />}
    </div>
  );
}
