import { type FormEvent, useId, useState } from 'react';
import { ApiError, call } from './api.ts';
import { Modal } from './modal.tsx';
import { refreshList } from './store.ts';

const invalidNumber = 'Must be 10 digits; use only numbers';

export function AddPhone({ onClose }: { onClose: () => void }) {
  const [number, setNumber] = useState('');
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const id = useId();

  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (!/^\d{10}$/.test(number.trim())) {
      setProblem(invalidNumber);
      return;
    }
    try {
      await call('POST', '/phones', { Number: number.trim(), ...(name.trim() && { Name: name.trim() }) });
      await refreshList();
      onClose();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : invalidNumber);
    }
  };

  return (
    <Modal title="Add a phone" onClose={onClose}>
      <form onSubmit={add} noValidate>
        <div className="field">
          <label htmlFor={`${id}number`}>Phone number</label>
          <input
            id={`${id}number`}
            value={number}
            onChange={(event) => setNumber(event.target.value)}
            inputMode="numeric"
            autoComplete="off"
            placeholder="4235550175"
            aria-invalid={problem !== undefined}
            aria-describedby={`${id}help`}
          />
          <p id={`${id}help`} className={problem ? 'help bad' : 'help'} role={problem ? 'alert' : undefined}>
            {problem ?? 'You can open any number. It shows the texts it has already received.'}
          </p>
        </div>
        <div className="field">
          <label htmlFor={`${id}name`}>Name (optional)</label>
          <input
            id={`${id}name`}
            value={name}
            onChange={(event) => setName(event.target.value)}
            maxLength={100}
            autoComplete="off"
          />
        </div>
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary">
            Add
          </button>
        </div>
      </form>
    </Modal>
  );
}
