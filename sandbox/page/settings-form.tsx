import { type FormEvent, useId, useState } from 'react';
import { ApiError, call, type Settings } from './api.ts';
import { Amount, Check } from './fault-form.tsx';

type Props = { settings: Settings; onChange: (settings: Settings) => void };

export function SettingsForm({ settings, onChange }: Props) {
  const [draft, setDraft] = useState(settings);
  const [said, setSaid] = useState<{ text: string; bad: boolean }>();
  const id = useId();
  const [min, max] = draft.DeliveryDelayMs;
  const set = (change: Partial<Settings>) => {
    setDraft({ ...draft, ...change });
    setSaid(undefined);
  };
  const apply = async (event: FormEvent) => {
    event.preventDefault();
    const { DeliveryDelayMs, ReceiptsPerRequest, AutoAnswer, CallSpeed, CallStartsPerSecond } = draft;
    try {
      const next = await call<Settings>('PUT', '/settings', {
        DeliveryDelayMs,
        ReceiptsPerRequest,
        AutoAnswer,
        CallSpeed,
        CallStartsPerSecond,
      });
      setDraft(next);
      onChange(next);
      setSaid({ text: 'Saved.', bad: false });
    } catch (error) {
      setSaid({ text: error instanceof ApiError ? error.message : 'That didn’t work.', bad: true });
    }
  };
  return (
    <form className="grid-form" onSubmit={apply}>
      <Amount
        id={`${id}min`}
        label="Minimum delivery time"
        unit="ms"
        max={3_600_000}
        value={min}
        onChange={(value) => set({ DeliveryDelayMs: [value, max] })}
      />
      <Amount
        id={`${id}max`}
        label="Maximum delivery time"
        unit="ms"
        max={3_600_000}
        value={max}
        onChange={(value) => set({ DeliveryDelayMs: [min, value] })}
      />
      <Amount
        id={`${id}receipts`}
        label="Receipts per request"
        unit="at most"
        max={2000}
        value={draft.ReceiptsPerRequest}
        onChange={(value) => set({ ReceiptsPerRequest: value })}
      />
      <Amount
        id={`${id}speed`}
        label="Calls to phones not shown here run"
        unit="times as fast"
        max={1000}
        value={draft.CallSpeed}
        onChange={(value) => set({ CallSpeed: value })}
      />
      <Amount
        id={`${id}starts`}
        label="Calls started per second"
        unit="at most"
        max={1000}
        value={draft.CallStartsPerSecond}
        onChange={(value) => set({ CallStartsPerSecond: value })}
      />
      <Check
        label="Some phones reply automatically"
        checked={draft.AutoAnswer}
        onChange={(on) => set({ AutoAnswer: on })}
      />
      <div className="form-foot">
        <span className={said?.bad ? 'help bad' : 'help'} role="status">
          {said?.text}
        </span>
        <button type="submit" className="button">
          Save
        </button>
      </div>
    </form>
  );
}
