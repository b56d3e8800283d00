import { CreditCard } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { call } from './api.ts';
import { formatShort } from './format.ts';
import { useNow } from './use-now.ts';

type Payment = {
  PaymentID: string;
  AmountCents: number;
  RefundedCents: number;
  Status: string;
  CreatedAt: string;
  CustomerName: string;
  Description: string;
  Card: string;
};
type Card = { CardID: string; CustomerName: string; Card: string; Expires: string };

/** Often enough to see a payment arrive, seldom enough to cost nothing. */
const LOOK_MS = 2000;

const testCards = [
  ['4242 4242 4242 4242', 'works'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0000 0000 9995', 'has insufficient funds'],
  ['4000 0025 0000 3155', 'asks the cardholder to confirm'],
] as const;

const statusWords: Readonly<Record<string, string>> = {
  succeeded: 'Paid',
  requires_action: 'Waiting for the cardholder',
  requires_payment_method: 'Declined',
  requires_confirmation: 'Not confirmed',
  canceled: 'Canceled',
};

function dollars(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
}

/** The card processor’s side: what it took, what it gave back, and the cards that it keeps. */
export function ProcessorTab() {
  const [payments, setPayments] = useState<Payment[]>();
  const [cards, setCards] = useState<Card[]>([]);
  const now = useNow(1000);
  const look = useCallback(async () => {
    const [paid, kept] = await Promise.all([
      call<{ Items: Payment[] }>('GET', '/processor/payments'),
      call<{ Items: Card[] }>('GET', '/processor/cards'),
    ]);
    setPayments(paid.Items.toReversed());
    setCards(kept.Items);
  }, []);
  useEffect(() => {
    const quietly = () => void look().catch(() => undefined);
    quietly();
    const timer = setInterval(quietly, LOOK_MS);
    return () => clearInterval(timer);
  }, [look]);
  const refund = async (id: string) => {
    await call('POST', `/processor/payments/${id}/refund`, {}).catch(() => undefined);
    await look();
  };
  return (
    <div className="desk">
      <div className="head">
        <div>
          <h1>Processor</h1>
          <p>The card processor’s side of every payment. Refunds are made here, and Muster hears of them.</p>
        </div>
      </div>
      <section className="card processor-part" aria-label="Test cards">
        <h2>Test cards</h2>
        <ul className="test-cards">
          {testCards.map(([number, behavior]) => (
            <li key={number}>
              <code>{number}</code> {behavior}
            </li>
          ))}
        </ul>
        <p>Any date in the future, any three digits as the CVN.</p>
      </section>
      <section className="card processor-part" aria-label="Cards on file">
        <h2>Cards on file</h2>
        {cards.length === 0 && <p>None yet.</p>}
        {cards.map((card) => (
          <p key={card.CardID}>
            <strong>{card.Card}</strong>, expires {card.Expires}, of {card.CustomerName}
          </p>
        ))}
      </section>
      {payments?.length === 0 && (
        <div className="empty">
          <CreditCard size={28} strokeWidth={1.5} aria-hidden />
          <h2>No payments yet</h2>
          <p>In Muster, open Settings, Billing, and buy credits.</p>
        </div>
      )}
      {payments && payments.length > 0 && (
        <section className="card processor-part" aria-label="Payments">
          <h2>Payments</h2>
          <ul className="payments">
            {payments.map((payment) => (
              <PaymentRow
                key={payment.PaymentID}
                payment={payment}
                now={now}
                onRefund={() => void refund(payment.PaymentID)}
              />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function PaymentRow({ payment, now, onRefund }: { payment: Payment; now: Date; onRefund: () => void }) {
  const canRefund = payment.Status === 'succeeded' && payment.RefundedCents < payment.AmountCents;
  return (
    <li>
      <div>
        <strong>{dollars(payment.AmountCents)}</strong>{' '}
        {payment.RefundedCents > 0
          ? `Refunded ${dollars(payment.RefundedCents)}`
          : (statusWords[payment.Status] ?? payment.Status)}
        <p>
          {[payment.Description, payment.Card, payment.CustomerName, formatShort(payment.CreatedAt, now)]
            .filter((part) => part !== '')
            .join(' · ')}
        </p>
      </div>
      {canRefund && (
        <button
          type="button"
          className="button"
          aria-label={`Refund ${dollars(payment.AmountCents)}`}
          onClick={onRefund}
        >
          Refund
        </button>
      )}
    </li>
  );
}
