-- SMPP, the third carrier (AggregatorID 6). Its receipts name texts by ids that the carrier gave, not by our send key.
alter table text_numbers drop constraint text_numbers_aggregator_id_check;
alter table text_numbers add constraint text_numbers_aggregator_id_check check (aggregator_id in (2, 5, 6));

-- Under which ids such a carrier has a text, one for each part of it. Written before a text counts as handed over, so a
-- text in doubt is found here. Swept when no receipt is expected any more.
create table carrier_ids (
  account_id bigint not null,
  message_id bigint not null,
  part smallint not null,
  parts smallint not null,
  send_nonce integer not null,
  aggregator_id smallint not null,
  carrier_message_id text collate "C" not null,
  is_delivered boolean not null default false,
  handed_at timestamptz not null default now(),
  primary key (account_id, message_id, part)
);
call make_tenant_table('carrier_ids');
create index carrier_ids_named on carrier_ids (carrier_message_id, aggregator_id);
create index carrier_ids_old on carrier_ids using brin (handed_at);

-- Receipts for ids that nobody knows yet: the text may be recorded a moment later, by another process.
create table stray_receipts (
  receipt_id bigint generated always as identity primary key,
  aggregator_id smallint not null,
  carrier_message_id text collate "C" not null,
  status text collate "C" not null,
  carrier_error text,
  occurred_at timestamptz not null,
  received_at timestamptz not null default now(),
  try_at timestamptz not null default now() + interval '1 second'
);
grant select, insert, update, delete on stray_receipts to muster_system;
create index stray_receipts_due on stray_receipts (try_at);

-- Parts of long inbound texts, until all of them are here or no more are expected.
create table inbound_parts (
  aggregator_id smallint not null,
  from_phone text not null,
  to_phone text not null,
  reference integer not null,
  parts smallint not null,
  part smallint not null,
  body text not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null default now(),
  primary key (aggregator_id, from_phone, to_phone, reference, parts, part)
);
grant select, insert, update, delete on inbound_parts to muster_system;
create index inbound_parts_old on inbound_parts (received_at);
