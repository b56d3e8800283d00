import { BadgeCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from './api.ts';
import { formatShort } from './format.ts';
import { useSandbox } from './store.ts';
import { useNow } from './use-now.ts';

type Request = {
  RequestID: string;
  Kind: string;
  Name: string;
  State: 'AwaitingEmail' | 'AwaitingText' | 'Pending' | 'Approved' | 'Rejected';
  SubmittedAt: string;
  Reason: string;
  DecidesAt: string | null;
};
type Desk = { Items: Request[]; DecisionSeconds: number; Reasons: string[] };

const stateWords = {
  AwaitingEmail: 'Waiting for the link in the email (see Mailbox)',
  AwaitingText: 'Waiting for YES to its text (see Phones)',
  Pending: 'In review',
  Approved: 'Approved',
  Rejected: 'Rejected',
} as const;

/** The registry's desk: whoever tries Muster approves or rejects registrations here. */
export function RegistryTab() {
  const { registryVersion } = useSandbox();
  const [desk, setDesk] = useState<Desk>();
  const now = useNow(1000);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version means that something changed
  useEffect(() => {
    void call<Desk>('GET', '/registry/requests')
      .then(setDesk)
      .catch(() => undefined);
  }, [registryVersion]);
  const decide = async (id: string, Decision: 'Approve' | 'Reject', Reason: string) => {
    await call('POST', `/registry/requests/${id}`, { Decision, Reason }).catch(() => undefined);
    setDesk(await call<Desk>('GET', '/registry/requests'));
  };
  return (
    <div className="desk">
      <div className="head">
        <div>
          <h1>Registry</h1>
          <p>
            Registrations that Muster submits wait here.{' '}
            {desk && desk.DecisionSeconds > 0
              ? `Requests that nobody decides are approved after ${desk.DecisionSeconds} seconds; a tax ID that begins with 00 is rejected.`
              : 'Nothing is decided without you.'}
          </p>
        </div>
      </div>
      {desk?.Items.length === 0 && (
        <div className="empty">
          <BadgeCheck size={28} strokeWidth={1.5} aria-hidden />
          <h2>Nothing to decide</h2>
          <p>In Muster, open Settings, Text, and register an organization.</p>
        </div>
      )}
      {desk?.Items.map((request) => (
        <Row
          key={request.RequestID}
          request={request}
          reasons={desk.Reasons}
          now={now}
          onDecide={(decision, reason) => void decide(request.RequestID, decision, reason)}
        />
      ))}
    </div>
  );
}

type RowProps = {
  request: Request;
  reasons: readonly string[];
  now: Date;
  onDecide: (decision: 'Approve' | 'Reject', reason: string) => void;
};

function Row({ request, reasons, now, onDecide }: RowProps) {
  const [reason, setReason] = useState(reasons[0] ?? '');
  const isOpen = request.State !== 'Approved' && request.State !== 'Rejected';
  const left = request.DecidesAt ? Math.ceil((Date.parse(request.DecidesAt) - now.getTime()) / 1000) : 0;
  return (
    <section className="card registry-row" aria-label={request.Name}>
      <div>
        <h2>{request.Name}</h2>
        <p>
          {request.Kind} · {formatShort(request.SubmittedAt, now)} ·{' '}
          <strong>{stateWords[request.State]}</strong>
          {left > 0 && ` · decides by itself in ${left} s`}
        </p>
        {request.Reason !== '' && <p>{request.Reason}</p>}
      </div>
      {isOpen && (
        <div className="registry-actions">
          <button type="button" className="button primary" onClick={() => onDecide('Approve', '')}>
            Approve
          </button>
          <label>
            <span className="unseen">Reason</span>
            <input
              list="registry-reasons"
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </label>
          <datalist id="registry-reasons">
            {reasons.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
          <button type="button" className="button" onClick={() => onDecide('Reject', reason)}>
            Reject
          </button>
        </div>
      )}
    </section>
  );
}
