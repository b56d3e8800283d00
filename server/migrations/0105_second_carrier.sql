-- A number may have a second carrier, which takes its texts while the first one is down.
alter table text_numbers add column second_aggregator_id smallint;
alter table text_numbers add constraint text_numbers_second_aggregator_id_check check (second_aggregator_id in (2, 5, 6));
alter table text_numbers add constraint text_numbers_carriers_differ check (second_aggregator_id <> aggregator_id);

-- Since when a carrier takes no texts, as its senders saw it. Shared by all workers; a row for each that is down.
create table carriers_down (
  aggregator_id smallint primary key,
  since timestamptz not null default now(),
  -- The last try. A carrier that nobody tried for a while may be up again.
  tried_at timestamptz not null default now(),
  reason text not null
);
grant select, insert, update, delete on carriers_down to muster_system;
