import { ChevronLeft, Mail as MailSign, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Mail } from './api.ts';
import { formatShort, formatStamp } from './format.ts';
import { emptyMailbox, readMail, useSandbox } from './store.ts';
import { useNow } from './use-now.ts';

export function MailboxTab() {
  const { mails } = useSandbox();
  const [chosenId, choose] = useState<string>();
  const now = useNow(60_000);
  const chosen = mails?.find(({ ID }) => ID === chosenId);
  useEffect(() => {
    if (chosenId !== undefined) readMail(chosenId);
  }, [chosenId]);
  return (
    <div className="desk">
      <div className="head">
        <div>
          <h1>Mailbox</h1>
          <p>Every email Muster sends arrives here, whoever it’s for.</p>
        </div>
        {mails && mails.length > 0 && (
          <button type="button" className="button" onClick={() => void emptyMailbox().catch(() => undefined)}>
            <Trash2 size={16} strokeWidth={1.75} aria-hidden />
            Empty mailbox
          </button>
        )}
      </div>
      {mails?.length === 0 && (
        <div className="empty">
          <MailSign size={28} strokeWidth={1.5} aria-hidden />
          <h2>No email yet</h2>
          <p>
            In Muster, turn on email notifications for unread texts. Then text one of its numbers from a
            phone.
          </p>
        </div>
      )}
      {mails && mails.length > 0 && (
        <div className={`card mailbox${chosen ? ' open' : ''}`}>
          <ul className="mail-list" aria-label="Emails">
            {mails.map((mail) => (
              <li key={mail.ID}>
                <button
                  type="button"
                  aria-current={mail.ID === chosenId ? 'true' : undefined}
                  className={mail.Read ? undefined : 'unread'}
                  onClick={() => choose(mail.ID)}
                >
                  <span className="mail-line">
                    <span className="mail-to">{mail.To.join(', ')}</span>
                    <time dateTime={mail.At}>{formatShort(mail.At, now)}</time>
                  </span>
                  <strong>{mail.Subject || '(no subject)'}</strong>
                  {!mail.Read && <span className="unseen">Unread</span>}
                  <span className="mail-snippet">{mail.Text.replace(/\s+/g, ' ').slice(0, 120)}</span>
                </button>
              </li>
            ))}
          </ul>
          {chosen ? (
            <OpenMail key={chosen.ID} mail={chosen} now={now} onBack={() => choose(undefined)} />
          ) : (
            <div className="mail-none">
              <MailSign size={26} strokeWidth={1.5} aria-hidden />
              <span>Choose an email to read it</span>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

function OpenMail({ mail, now, onBack }: { mail: Mail; now: Date; onBack: () => void }) {
  const [asText, setAsText] = useState(mail.Html === '');
  return (
    <article className="mail" aria-label={mail.Subject}>
      <header>
        <button type="button" className="back" aria-label="All emails" title="All emails" onClick={onBack}>
          <ChevronLeft size={22} strokeWidth={2} aria-hidden />
        </button>
        <div className="mail-head">
          <h2>{mail.Subject || '(no subject)'}</h2>
          <p>
            <span>{mail.FromName ? `${mail.FromName} (${mail.From})` : mail.From}</span> to{' '}
            <span>{mail.To.join(', ')}</span>
          </p>
          <time dateTime={mail.At}>{formatStamp(mail.At, now)}</time>
        </div>
        {mail.Html !== '' && (
          <button type="button" className="button" aria-pressed={asText} onClick={() => setAsText(!asText)}>
            {asText ? 'HTML' : 'Plain text'}
          </button>
        )}
      </header>
      {asText ? (
        <pre>{mail.Text}</pre>
      ) : (
        // Without scripts and without this page's origin, because an email is untrusted. Its links open in a new tab.
        <iframe
          title={`Email: ${mail.Subject}`}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={mail.Html}
        />
      )}
    </article>
  );
}
