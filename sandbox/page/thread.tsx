import { ChevronLeft } from 'lucide-react';
import { Fragment, useLayoutEffect, useRef } from 'react';
import type { Item, Phone } from './api.ts';
import { formatNumber, formatStamp, initials } from './format.ts';
import { TextField } from './text-field.tsx';
import { type ThreadSummary, threadNumber } from './thread-list.tsx';

type Props = {
  phone: Phone;
  thread: ThreadSummary;
  messages: readonly Item[];
  now: Date;
  onBack: (() => void) | undefined;
};

/** A text shows its time if it came this long after the one before. */
const stampAfterMs = 30 * 60_000;

export function Thread({ phone, thread, messages, now, onBack }: Props) {
  const items = messages.filter((item) => threadNumber(item) === thread.number);
  const end = useRef<HTMLDivElement>(null);
  const name = thread.name ?? formatNumber(thread.number);
  const latest = items.at(-1)?.ID;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest text is what the view follows
  useLayoutEffect(() => {
    const box = end.current;
    if (box) box.scrollTop = box.scrollHeight;
  }, [latest]);

  return (
    <div className="thread">
      <div className="thread-head">
        {onBack && (
          <button
            type="button"
            className="back"
            aria-label="All conversations"
            title="All conversations"
            onClick={onBack}
          >
            <ChevronLeft size={22} strokeWidth={2} aria-hidden />
          </button>
        )}
        <span className="avatar" aria-hidden="true">
          {initials(thread.name)}
        </span>
        <h3>{name}</h3>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard */}
      <div className="bubbles" ref={end} role="log" aria-label={`Texts with ${name}`} tabIndex={0}>
        {items.map((item, index) => (
          <Bubble key={item.ID} item={item} before={items[index - 1]} after={items[index + 1]} now={now} />
        ))}
      </div>
      <TextField from={phone.Number} to={thread.number} name={name} />
    </div>
  );
}

type BubbleProps = { item: Item; before: Item | undefined; after: Item | undefined; now: Date };

function Bubble({ item, before, after, now }: BubbleProps) {
  const stamped = !before || Date.parse(item.At) - Date.parse(before.At) > stampAfterMs;
  const run = before?.Direction === item.Direction && !stamped;
  const own = item.Direction === 'out';
  const lastOwn = own && after?.Direction !== 'out';
  return (
    <Fragment>
      {stamped && (
        <time className="stamp" dateTime={item.At}>
          {formatStamp(item.At, now)}
        </time>
      )}
      <div className={`bubble-row ${own ? 'own' : 'their'}${run ? ' run' : ''}`}>
        {item.Media.map(({ Url, ContentType }) =>
          ContentType.startsWith('image/') ? (
            <a key={Url} className="picture" href={localUrl(Url)} target="_blank" rel="noreferrer">
              <img src={localUrl(Url)} alt={own ? 'Sent' : 'Received'} loading="lazy" />
            </a>
          ) : (
            <a key={Url} className="bubble" href={localUrl(Url)} target="_blank" rel="noreferrer">
              Attachment
            </a>
          ),
        )}
        {item.Text && (
          <>
            <span className="unseen">{own ? 'You:' : 'They:'}</span>
            <p className="bubble">{item.Text}</p>
          </>
        )}
      </div>
      {lastOwn && <Progress status={item.Status} />}
    </Fragment>
  );
}

function Progress({ status }: { status: string }) {
  if (status === 'Sending') return <span className="progress">Sending…</span>;
  if (status === 'Delivered') return <span className="progress">Delivered</span>;
  return <span className="progress bad">Not delivered</span>;
}

/** Pictures in the sandbox load from this page's own origin. */
function localUrl(url: string): string {
  const path = URL.parse(url)?.pathname ?? '';
  return path.startsWith('/media/') ? path : url;
}
