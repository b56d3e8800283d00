-- An Asterisk with a SIP trunk of one's own places calls too.
insert into call_pace (provider) values (7);

alter table call_pace
  -- The provider that calls where several could.
  add column is_first boolean not null default false,
  -- Which process speaks with it, where it is one at a time, and until when nobody else may.
  add column leader uuid,
  add column led_until timestamptz not null default '-infinity';
