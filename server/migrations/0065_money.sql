-- Money: prices, cards, charges, subscriptions, invoices, refills, and the books.

-- Prices are data of the installation, the same for every account that has none of its own.
create table pricings (
  pricing_id integer generated always as identity primary key,
  kind text not null check (kind in ('pay-as-you-go', 'monthly', 'unlimited', 'enhanced')),
  name text not null,
  is_default boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index pricings_one_default on pricings (kind) where is_default;
create table pricing_tiers (
  pricing_id integer not null references pricings,
  lower_limit integer not null check (lower_limit >= 0),
  upper_limit integer check (upper_limit >= lower_limit),
  -- Dollars: of one credit, of a month, of one number's month, of one picture text.
  cost numeric(12, 5) not null check (cost >= 0),
  primary key (pricing_id, lower_limit)
);
grant select on pricings, pricing_tiers to muster_app, muster_system;

insert into pricings (kind, name, is_default) values
  ('pay-as-you-go', 'Pay-as-you-go', true),
  ('monthly', 'Monthly', true),
  ('unlimited', 'Unlimited conversations', true),
  ('enhanced', 'Pictures on a monthly plan', true);
insert into pricing_tiers (pricing_id, lower_limit, upper_limit, cost)
select p.pricing_id, t.lower_limit, t.upper_limit, t.cost
from pricings p join (values
  ('pay-as-you-go', 500, 1999, 0.05), ('pay-as-you-go', 2000, 4999, 0.045),
  ('pay-as-you-go', 5000, 9999, 0.04), ('pay-as-you-go', 10000, 24999, 0.035),
  ('pay-as-you-go', 25000, null, 0.03),
  ('monthly', 1, 100, 12), ('monthly', 101, 250, 25), ('monthly', 251, 500, 45), ('monthly', 501, 1000, 79),
  ('monthly', 1001, 2500, 149), ('monthly', 2501, 5000, 259), ('monthly', 5001, 10000, 449),
  ('monthly', 10001, 25000, 899), ('monthly', 25001, 50000, 1599),
  ('unlimited', 1, 4, 25), ('unlimited', 5, null, 20),
  ('enhanced', 1, null, 0.02)
) as t(kind, lower_limit, upper_limit, cost) on t.kind = p.kind;

-- What is left of a paid month counts toward a larger group.
alter table accounts alter column partial_credits_enabled set default true;
update accounts set partial_credits_enabled = true;
-- When the month of a number's unlimited conversations began, by its day: the 31st stays the 31st.
alter table text_numbers add column flat_rate_anchor_day smallint check (flat_rate_anchor_day between 1 and 31);

-- The account as the card processor knows it, and its card: never more of its number than the last four digits.
create table payers (
  account_id bigint primary key references accounts,
  customer_id text not null,
  created_at timestamptz not null default now()
);
call make_tenant_table('payers');
create table cards (
  account_id bigint primary key references accounts,
  payment_method_id text not null,
  brand text not null,
  last_four text not null check (last_four ~ '^[0-9]{4}$'),
  expires_month smallint not null check (expires_month between 1 and 12),
  expires_year smallint not null check (expires_year between 2000 and 2200),
  first_name text not null,
  last_name text not null,
  address text not null,
  city text not null,
  state text not null,
  zip_code text not null,
  user_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
call make_tenant_table('cards');

-- A subscription beside the columns that accounts has of it.
create table subscriptions (
  account_id bigint primary key references accounts,
  -- The day of the month on which it renews; in shorter months their last day.
  anchor_day smallint not null check (anchor_day between 1 and 31),
  monthly_fee_cents integer not null check (monthly_fee_cents >= 0),
  -- A renewal that failed: when it is tried again, and since when it has been failing.
  failing_since timestamptz,
  try_at timestamptz,
  cancel_reason text,
  cancel_comments text,
  canceled_at timestamptz,
  created_at timestamptz not null default now()
);
call make_tenant_table('subscriptions');

-- Why and when an account was canceled or converted; kept beyond the subscription itself.
create table cancellations (
  account_id bigint not null references accounts,
  cancellation_id bigint generated always as identity,
  user_id bigint,
  reason text not null,
  comments text not null default '',
  created_at timestamptz not null default now(),
  primary key (account_id, cancellation_id)
);
call make_tenant_table('cancellations');

create table invoice_addresses (
  account_id bigint not null references accounts,
  invoice_address_id bigint generated always as identity,
  is_default boolean not null default false,
  is_active boolean not null default true,
  address1 text not null default '',
  address2 text not null default '',
  address3 text not null,
  address4 text not null default '',
  city text not null,
  state text not null,
  postal_code text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, invoice_address_id)
);
call make_tenant_table('invoice_addresses');
create unique index invoice_addresses_one_default on invoice_addresses (account_id) where is_default and is_active;

create table invoices (
  account_id bigint not null references accounts,
  invoice_id bigint generated always as identity (start with 10001),
  user_id bigint,
  -- What it is for, as people read it: "30,200 credits".
  description text not null,
  is_payg boolean not null,
  number_of_credits integer,
  max_people integer,
  subscription_duration integer,
  subscription_start_at timestamptz,
  subscription_end_at timestamptz,
  monthly_fee_cents integer,
  unit_cost numeric(12, 5),
  quantity integer not null default 1,
  amount_cents bigint not null check (amount_cents >= 0),
  partial_credit_cents bigint not null default 0,
  tax_cents bigint not null default 0 check (tax_cents >= 0),
  tax_label text not null default '',
  total_cents bigint not null check (total_cents >= 0),
  paid_cents bigint not null default 0 check (paid_cents between 0 and total_cents),
  voided_at timestamptz,
  paid_at timestamptz,
  -- Its credits or its subscription were given.
  delivered_at timestamptz,
  terms text not null,
  po_number text not null default '',
  additional_notes text not null default '',
  invoice_address_id bigint,
  -- The address as it was when the invoice was made.
  bill_to text[] not null default '{}',
  email_to text not null default '',
  emailed_at timestamptz,
  auto_renew boolean not null default false,
  add_credits_to_account boolean not null default false,
  custom_pricing text,
  -- The key of the request that made it.
  request_key text,
  -- A charge by card that was paid at once: the invoice is its receipt.
  charge_id bigint,
  created_at timestamptz not null,
  primary key (account_id, invoice_id)
);
call make_tenant_table('invoices');
create index invoices_open on invoices (account_id, invoice_id)
  where voided_at is null and paid_cents < total_cents;
create unique index invoices_request on invoices (account_id, request_key) where request_key is not null;
create unique index invoices_of_charge on invoices (account_id, charge_id) where charge_id is not null;

create table invoice_payments (
  account_id bigint not null,
  invoice_payment_id bigint generated always as identity,
  invoice_id bigint not null,
  charge_id bigint,
  amount_cents bigint not null check (amount_cents > 0),
  -- card, or what the operator noted: "Check 20117".
  method text not null,
  user_id bigint,
  created_at timestamptz not null,
  primary key (account_id, invoice_payment_id),
  foreign key (account_id, invoice_id) references invoices
);
call make_tenant_table('invoice_payments');
revoke update, delete on invoice_payments from muster_app, muster_system;
create index invoice_payments_of_invoice on invoice_payments (account_id, invoice_id);
create unique index invoice_payments_of_charge on invoice_payments (account_id, charge_id) where charge_id is not null;

-- One row for every time that a card is to be charged, written before the processor hears of it.
create table charges (
  account_id bigint not null references accounts,
  charge_id bigint generated always as identity,
  charge_type text not null check (charge_type in ('CreditPurchase', 'SubscriptionUpgrade', 'AddFlatRate',
    'MonthlyAddOnCharges', 'InvoicePayment', 'AutoRefill', 'SubscriptionRenewal', 'FlatRateRenewal')),
  -- open: the processor's answer is not known yet; action: the cardholder is asked by their bank;
  -- paid, failed: known for good.
  state text not null default 'open' check (state in ('open', 'action', 'paid', 'failed')),
  -- One at a time of each: a person, the refill, the renewal, each number's renewal.
  lane text not null,
  -- The key of the request that made it: the same Buy pressed twice is one row.
  request_key text,
  request_hash text,
  -- What the processor knows it by, before it answers with a name of its own.
  processor_key uuid not null default gen_random_uuid(),
  payment_id text,
  payment_method_id text,
  card_label text not null default '',
  description text not null,
  -- What is given for it, as server/purchases/rules.ts reads it.
  purchase jsonb not null,
  amount_cents bigint not null check (amount_cents >= 0),
  partial_credit_cents bigint not null default 0,
  tax_cents bigint not null default 0 check (tax_cents >= 0),
  tax_label text not null default '',
  tax_quote_id text,
  -- The tax office was told of it.
  tax_recorded_at timestamptz,
  tax_transaction_id text,
  total_cents bigint not null check (total_cents >= 0),
  refunded_cents bigint not null default 0 check (refunded_cents between 0 and total_cents),
  is_attended boolean not null,
  failure_code text,
  failure_message text,
  user_id bigint,
  invoice_id bigint,
  check_at timestamptz,
  created_at timestamptz not null,
  -- By the database's clock: the processor keeps keys for a day.
  recorded_at timestamptz not null default now(),
  settled_at timestamptz,
  primary key (account_id, charge_id)
);
call make_tenant_table('charges');
create unique index charges_request on charges (account_id, request_key) where request_key is not null;
create unique index charges_lane on charges (account_id, lane) where state in ('open', 'action');
create index charges_unsettled on charges (check_at) where state in ('open', 'action');
create index charges_untaxed on charges (account_id) where tax_quote_id is not null and tax_recorded_at is null and state = 'paid';
create index charges_history on charges (account_id, created_at desc, charge_id desc) where state = 'paid';
create index charges_payment on charges (payment_id);

create table refunds (
  account_id bigint not null,
  refund_id bigint generated always as identity,
  charge_id bigint not null,
  amount_cents bigint not null check (amount_cents > 0),
  tax_cents bigint not null,
  -- Credits that were taken back, and those that were spent already and could not be.
  credits integer not null default 0,
  credits_short integer not null default 0,
  reason text not null default '',
  created_at timestamptz not null,
  primary key (account_id, refund_id),
  foreign key (account_id, charge_id) references charges
);
call make_tenant_table('refunds');
revoke update, delete on refunds from muster_app, muster_system;

-- The books: double entry, append-only. The lines of a posting add up to nothing. Positive is what we have (cash), negative
-- what we owe or earned: credits sold, subscriptions paid in advance (deferred), tax, revenue.
create table money_entries (
  account_id bigint not null references accounts,
  money_entry_id bigint generated always as identity,
  posting_id bigint not null,
  -- Of what was paid in advance: the subscription, or a number's unlimited conversations.
  subject text not null default '',
  book text not null check (book in ('cash', 'credits', 'deferred', 'revenue', 'tax')),
  amount_cents bigint not null,
  charge_id bigint,
  invoice_id bigint,
  note text not null,
  created_at timestamptz not null,
  primary key (account_id, money_entry_id)
);
call make_tenant_table('money_entries');
revoke update, delete on money_entries from muster_app, muster_system;
create index money_entries_book on money_entries (account_id, book);
create sequence money_postings;
grant usage on money_postings to muster_app, muster_system;

-- Refills by themselves. The ledger asks for one in the transaction in which the credits run low.
create table auto_refills (
  account_id bigint primary key references accounts,
  is_enabled boolean not null,
  number_of_credits integer not null check (number_of_credits > 0),
  trigger_amount integer not null check (trigger_amount >= 0),
  user_id bigint,
  updated_at timestamptz not null default now()
);
call make_tenant_table('auto_refills');
create table refill_requests (
  account_id bigint not null references accounts,
  auto_refill_request_id bigint generated always as identity,
  state text not null default 'waiting' check (state in ('waiting', 'charged', 'failed')),
  number_of_credits integer not null,
  charge_id bigint,
  message text,
  dismissed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, auto_refill_request_id)
);
call make_tenant_table('refill_requests');
-- One that waits, or one that failed and was not looked at: until then no other begins.
create unique index refill_requests_one on refill_requests (account_id)
  where state = 'waiting' or (state = 'failed' and dismissed_at is null);
create index refill_requests_waiting on refill_requests (created_at) where state = 'waiting';

-- What a picture broadcast costs a monthly account beyond its fee; paid with the next renewal or before.
create table add_on_charges (
  account_id bigint not null references accounts,
  add_on_charge_id bigint generated always as identity,
  broadcast_id bigint not null,
  texts integer not null,
  amount_cents bigint not null check (amount_cents >= 0),
  charge_id bigint,
  created_at timestamptz not null default now(),
  primary key (account_id, add_on_charge_id)
);
call make_tenant_table('add_on_charges');
create unique index add_on_charges_of_broadcast on add_on_charges (account_id, broadcast_id);

-- Codes that give credits: of a group of organizations, or of a campaign. The operator's own data.
create table group_codes (
  name text primary key,
  free_credits integer not null default 0 check (free_credits >= 0),
  account_type smallint not null default 0 check (account_type between 0 and 3),
  promo_message text not null default '',
  is_sso_login_only boolean not null default false,
  is_active boolean not null default true
);
create unique index group_codes_name on group_codes (lower(name));
grant select on group_codes to muster_app, muster_system;
insert into group_codes (name, free_credits, promo_message) values
  ('WELCOME', 100, '100 free credits are on your account. Welcome!');
create table group_code_uses (
  account_id bigint not null references accounts,
  name text not null,
  credits integer not null,
  created_at timestamptz not null default now(),
  primary key (account_id, name)
);
call make_tenant_table('group_code_uses');

-- How the books compared with the processor's list, once a day.
create table reconciliations (
  reconciliation_id bigint generated always as identity primary key,
  began_at timestamptz not null,
  payments integer not null,
  mended integer not null,
  unexplained integer not null,
  created_at timestamptz not null default now()
);
grant select, insert on reconciliations to muster_system;

alter table credit_entries drop constraint credit_entries_kind_check,
  add constraint credit_entries_kind_check
    check (kind in ('grant', 'purchase', 'reserve', 'settle', 'release', 'refund'));
