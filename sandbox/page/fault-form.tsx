import { type FormEvent, useId, useState } from 'react';
import { ApiError, call, type Faults } from './api.ts';

const rates = [
  { name: 'TimeoutBeforeAccept', label: 'No answer, nothing accepted' },
  { name: 'TimeoutAfterAccept', label: 'Accepted, but no answer' },
  { name: 'ResetAfterAccept', label: 'Accepted, but connection reset' },
  { name: 'ServerError', label: 'Server error' },
  { name: 'TooManyRequests', label: 'Too many requests' },
  { name: 'ReceiptDuplicate', label: 'Receipts and webhooks sent twice' },
  { name: 'ReceiptLost', label: 'Receipts and webhooks lost' },
] as const;

type Props = { faults: Faults; onChange: (faults: Faults) => void };

export function FaultForm({ faults, onChange }: Props) {
  const [draft, setDraft] = useState(faults);
  const [said, setSaid] = useState<{ text: string; bad: boolean }>();
  const id = useId();
  const set = (change: Partial<Faults>) => {
    setDraft({ ...draft, ...change });
    setSaid(undefined);
  };
  const run = async (work: () => Promise<Faults>, text: string) => {
    try {
      const next = await work();
      setDraft(next);
      onChange(next);
      setSaid({ text, bad: false });
    } catch (error) {
      setSaid({ text: error instanceof ApiError ? error.message : 'That didn’t work.', bad: true });
    }
  };
  const apply = (event: FormEvent) => {
    event.preventDefault();
    const { Seed: _, ...change } = draft as Faults & { Seed?: unknown };
    void run(() => call<Faults>('POST', '/faults', change), 'Faults applied.');
  };
  const reset = () => void run(() => call<Faults>('DELETE', '/faults'), 'Faults cleared.');

  return (
    <form className="grid-form" onSubmit={apply}>
      {rates.map(({ name, label }) => (
        <Amount
          key={name}
          id={`${id}${name}`}
          label={label}
          unit="%"
          max={100}
          value={Math.round(draft[name] * 100)}
          onChange={(value) => set({ [name]: value / 100 })}
        />
      ))}
      <Amount
        id={`${id}retry`}
        label="Retry after"
        unit="s"
        max={3600}
        value={draft.RetryAfterSeconds}
        onChange={(value) => set({ RetryAfterSeconds: value })}
      />
      <Amount
        id={`${id}delay`}
        label="Receipt and webhook delay"
        unit="ms"
        max={3_600_000}
        value={draft.ReceiptDelayMs}
        onChange={(value) => set({ ReceiptDelayMs: value })}
      />
      <Amount
        id={`${id}late`}
        label="Answers come late by"
        unit="ms"
        max={600_000}
        value={draft.AnswerDelayMs}
        onChange={(value) => set({ AnswerDelayMs: value })}
      />
      <div className="field">
        <label htmlFor={`${id}channel`}>Texts or calls</label>
        <select
          id={`${id}channel`}
          value={draft.Channel ?? ''}
          onChange={(event) => set({ Channel: (event.target.value || null) as Faults['Channel'] })}
        >
          <option value="">Both</option>
          <option value="texts">Texts</option>
          <option value="calls">Calls</option>
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}provider`}>Carrier</label>
        <select
          id={`${id}provider`}
          value={draft.Provider ?? ''}
          onChange={(event) => set({ Provider: (event.target.value || null) as Faults['Provider'] })}
        >
          <option value="">All</option>
          <option value="asterisk">Asterisk</option>
          <option value="infobip">Infobip</option>
          <option value="smpp">SMPP</option>
          <option value="twilio">Twilio</option>
        </select>
      </div>
      <Check
        label="Receipts and webhooks out of order"
        checked={draft.ReceiptShuffle}
        onChange={(on) => set({ ReceiptShuffle: on })}
      />
      <Check
        label="Outage: connections are reset"
        checked={draft.Outage}
        onChange={(on) => set({ Outage: on })}
      />
      <div className="form-foot">
        <span className={said?.bad ? 'help bad' : 'help'} role="status">
          {said?.text}
        </span>
        <button type="button" className="button" onClick={reset}>
          Clear faults
        </button>
        <button type="submit" className="button primary">
          Apply
        </button>
      </div>
    </form>
  );
}

type AmountProps = {
  id: string;
  label: string;
  unit: string;
  max: number;
  value: number;
  onChange: (value: number) => void;
};

export function Amount({ id, label, unit, max, value, onChange }: AmountProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="with-unit">
        <input
          id={id}
          type="number"
          min={0}
          max={max}
          step={1}
          required
          value={Number.isNaN(value) ? '' : value}
          onChange={(event) => onChange(event.target.valueAsNumber)}
        />
        <span aria-hidden="true">{unit}</span>
      </div>
    </div>
  );
}

export function Check({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}
