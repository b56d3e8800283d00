import { MessageSquare } from 'lucide-react';
import type { Item, ServedNumber } from './api.ts';
import { formatNumber, formatShort, initials } from './format.ts';

export type ThreadSummary = { number: string; name: string | null; last: Item | undefined };

export function threadNumber(item: Item): string {
  return item.Direction === 'in' ? item.From : item.To;
}

/** Conversations, latest first, then those of Muster's numbers that have no texts with this phone. */
export function groupThreads(
  messages: readonly Item[],
  numbers: ReadonlyMap<string, ServedNumber>,
): ThreadSummary[] {
  const last = new Map<string, Item>();
  for (const item of messages) last.set(threadNumber(item), item);
  const withMessages = [...last]
    .sort(([, a], [, b]) => b.At.localeCompare(a.At))
    .map(([number, item]) => ({ number, name: numbers.get(number)?.Name ?? null, last: item }));
  const others = [...numbers.values()]
    .filter((each) => !last.has(each.Number))
    .map((each) => ({ number: each.Number, name: each.Name, last: undefined }));
  return [...withMessages, ...others];
}

type Props = { threads: readonly ThreadSummary[]; now: Date; onChoose: (number: string) => void };

export function ThreadList({ threads, now, onChoose }: Props) {
  return (
    <div className="thread-list">
      <h3>Messages</h3>
      {threads.length === 0 && (
        <div className="no-texts">
          <MessageSquare size={26} strokeWidth={1.5} aria-hidden />
          <span>No texts yet</span>
        </div>
      )}
      <ul>
        {threads.map(({ number, name, last }) => (
          <li key={number}>
            <button type="button" onClick={() => onChoose(number)}>
              <span className="avatar" aria-hidden="true">
                {initials(name)}
              </span>
              <span className="thread-names">
                <span className="thread-line">
                  <strong>{name ?? formatNumber(number)}</strong>
                  {last && <time dateTime={last.At}>{formatShort(last.At, now)}</time>}
                </span>
                <span className="snippet">{last ? last.Text || 'Picture' : 'Write the first text'}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
