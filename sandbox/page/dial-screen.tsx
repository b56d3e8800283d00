import { ChevronLeft, Phone as PhoneIcon } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import type { Phone, ServedNumber } from './api.ts';
import { dial } from './calls-store.ts';
import { formatNumber } from './format.ts';

type Props = {
  phone: Phone;
  numbers: ReadonlyMap<string, ServedNumber>;
  onBack: () => void;
};

/** Calls Muster from the phone, to record a message or to start a broadcast. */
export function DialScreen({ phone, numbers, onBack }: Props) {
  const [to, setTo] = useState('');
  const id = useId();
  const call = async (number: string) => {
    if (await dial(phone.Number, number)) onBack();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void call(to.replace(/\D/g, ''));
  };
  return (
    <div className="voicemail">
      <div className="voicemail-head">
        <button
          type="button"
          className="back"
          aria-label="Back to texts"
          title="Back to texts"
          onClick={onBack}
        >
          <ChevronLeft size={22} strokeWidth={2} aria-hidden />
        </button>
        <h3>Call</h3>
      </div>
      <form className="dial-form" onSubmit={submit}>
        <label className="unseen" htmlFor={id}>
          Number to call
        </label>
        <input
          id={id}
          value={to}
          onChange={(event) => setTo(event.target.value)}
          inputMode="tel"
          autoComplete="off"
          placeholder="Number to call"
        />
        <button type="submit" className="send" aria-label="Call" title="Call" disabled={to.trim() === ''}>
          <PhoneIcon size={16} strokeWidth={2} aria-hidden />
        </button>
      </form>
      <ul>
        {[...numbers.values()].map(({ Number: number, Name }) => (
          <li key={number}>
            <button type="button" onClick={() => void call(number)}>
              <span className="play-mark" aria-hidden="true">
                <PhoneIcon size={14} strokeWidth={2} />
              </span>
              <span className="voicemail-names">
                <strong>{Name ?? formatNumber(number)}</strong>
                <span>{Name ? formatNumber(number) : 'Call'}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
