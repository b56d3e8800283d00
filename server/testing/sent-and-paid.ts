import type { Database } from '../db.ts';

export type System = Database['system'];

export function tomorrow(): string {
  return new Date(Date.now() + 24 * 3_600_000).toISOString();
}

export async function reportView(system: System, account_id: number, user_id: number): Promise<number> {
  const { report_view_id } = await system
    .insertInto('report_views')
    .values({ account_id, user_id, report: 'usage-summary', name: 'Every month' })
    .returning('report_view_id')
    .executeTakeFirstOrThrow();
  return report_view_id;
}

/** A drip campaign that hasn't been started. */
export async function sequence(system: System, account_id: number, user_id: number): Promise<number> {
  const { broadcast_id } = await system
    .insertInto('broadcasts')
    .values({ account_id, user_id, name: 'Drip', broadcast_type: 'SMS' })
    .returning('broadcast_id')
    .executeTakeFirstOrThrow();
  const { sequence_id } = await system
    .insertInto('sequences')
    .values({ account_id, user_id, broadcast_id, zone: 'America/New_York' })
    .returning('sequence_id')
    .executeTakeFirstOrThrow();
  await system
    .updateTable('broadcasts')
    .set({ sequence_id })
    .where('account_id', '=', account_id)
    .where('broadcast_id', '=', broadcast_id)
    .execute();
  return sequence_id;
}

/** A transfer number, a caller ID and a message to be recorded. */
export async function callingIds(system: System, account_id: number, user_id: number) {
  const { transfer_number_id: TransferNumberID } = await system
    .insertInto('transfer_numbers')
    .values({ account_id, user_id, phone: '14235550112', status: 'Approved' })
    .returning('transfer_number_id')
    .executeTakeFirstOrThrow();
  const { caller_id_id: CallerIDID } = await system
    .insertInto('caller_ids')
    .values({ account_id, user_id, phone: '14235550113', status: 'Verified' })
    .returning('caller_id_id')
    .executeTakeFirstOrThrow();
  const { recording_id: RecordingID } = await system
    .insertInto('message_recordings')
    .values({ account_id, user_id })
    .returning('recording_id')
    .executeTakeFirstOrThrow();
  return { TransferNumberID, CallerIDID, RecordingID };
}

/** A card, an open invoice with its address, a paid charge and a refill that failed. */
export async function moneyIds(system: System, account_id: number) {
  const place = { address: '1 Mill Street', city: 'Chattanooga', state: 'TN', zip_code: '37402' };
  const name = { first_name: 'Pat', last_name: 'Doe' };
  await system
    .insertInto('cards')
    .values({
      ...{ account_id, ...name, ...place },
      ...{
        payment_method_id: 'pm_none',
        brand: 'Visa',
        last_four: '4242',
        expires_month: 12,
        expires_year: 2099,
      },
    })
    .execute();
  const { invoice_address_id: AddressID } = await system
    .insertInto('invoice_addresses')
    .values({ account_id, address3: '1 Mill Street', city: 'Chattanooga', state: 'TN', postal_code: '37402' })
    .returning('invoice_address_id')
    .executeTakeFirstOrThrow();
  const { invoice_id: InvoiceID } = await system
    .insertInto('invoices')
    .values({
      ...{ account_id, description: '500 credits', is_payg: true, number_of_credits: 500 },
      ...{ amount_cents: 2500, total_cents: 2500, terms: 'Due on Receipt', created_at: new Date() },
    })
    .returning('invoice_id')
    .executeTakeFirstOrThrow();
  const { charge_id: ChargeID } = await system
    .insertInto('charges')
    .values({
      ...{
        account_id,
        charge_type: 'CreditPurchase',
        state: 'paid',
        lane: 'person',
        description: '500 credits',
      },
      ...{ purchase: JSON.stringify({ what: { kind: 'credits', credits: 500, unitCost: 0.05 } }) },
      ...{ amount_cents: 2500, total_cents: 2500, is_attended: true, created_at: new Date() },
    })
    .returning('charge_id')
    .executeTakeFirstOrThrow();
  const { auto_refill_request_id: AutoRefillRequestID } = await system
    .insertInto('refill_requests')
    .values({ account_id, state: 'failed', number_of_credits: 500 })
    .returning('auto_refill_request_id')
    .executeTakeFirstOrThrow();
  return { AccountID: account_id, AddressID, InvoiceID, ChargeID, AutoRefillRequestID };
}

/** A draft, a scheduled and a repeating broadcast, each with one recipient, and a label. */
export async function broadcastIds(
  system: System,
  account_id: number,
  user_id: number,
  text_number_id: number,
) {
  const make = async (row: { status: 'draft' | 'scheduled' | 'model'; going_count?: number }) => {
    const text = { name: 'Snow day', body: 'No school today.', text_number_id };
    const { broadcast_id } = await system
      .insertInto('broadcasts')
      .values({ account_id, user_id, ...text, sent_body: text.body, start_at: tomorrow(), ...row })
      .returning('broadcast_id')
      .executeTakeFirstOrThrow();
    const { recipient_id } = await system
      .insertInto('broadcast_recipients')
      .values({ account_id, broadcast_id, phone: '14235550110', first_name: 'Pat', segments: 1 })
      .returning('recipient_id')
      .executeTakeFirstOrThrow();
    return { broadcast_id, recipient_id };
  };
  const draft = await make({ status: 'draft' });
  const sent = await make({ status: 'scheduled', going_count: 1 });
  const model = await make({ status: 'model', going_count: 1 });
  const { repeating_id: RepeatingBroadcastID } = await system
    .insertInto('repeating_broadcasts')
    .values({
      account_id,
      user_id,
      broadcast_id: model.broadcast_id,
      schedule: JSON.stringify({ Interval: 1, IntervalFrequency: 'days', DaysOfWeek: [] }),
      description: 'Every day at 9:00 AM',
      zone: 'America/New_York',
      start_wall: '2026-01-01T09:00:00',
      next_at: tomorrow(),
    })
    .returning('repeating_id')
    .executeTakeFirstOrThrow();
  const { label_id: LabelID } = await system
    .insertInto('labels')
    .values({ account_id, name: 'A label' })
    .returning('label_id')
    .executeTakeFirstOrThrow();
  return {
    LabelID,
    DraftBroadcastID: draft.broadcast_id,
    TemplateMergeID: draft.broadcast_id,
    BroadcastID: sent.broadcast_id,
    RepeatingBroadcastID,
    /** For the scheduled one. */
    RecipientID: sent.recipient_id,
    DraftRecipientID: draft.recipient_id,
  };
}
