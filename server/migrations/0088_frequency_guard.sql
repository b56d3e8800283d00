-- At most so many broadcasts for a person in so many days. Whoever has had that many is left out of the next one.
alter table accounts
  add column most_broadcasts smallint check (most_broadcasts between 1 and 100),
  add column most_broadcasts_days smallint check (most_broadcasts_days between 1 and 90),
  add constraint accounts_most_broadcasts_whole check ((most_broadcasts is null) = (most_broadcasts_days is null));

-- An emergency: somebody has said that this one goes to everybody, and when.
alter table broadcasts add column frequency_set_aside_by bigint, add column frequency_set_aside_at timestamptz;

-- Rows that are there keep the narrower rule that they were written under.
alter table broadcast_recipients
  drop constraint broadcast_recipients_problem_check,
  drop constraint broadcast_recipients_call_state_check,
  add constraint broadcast_recipients_problem_check check (problem in ('duplicate', 'opted_out', 'not_opted_in',
    'not_textable', 'unreachable', 'invalid', 'not_verified', 'excluded', 'too_long', 'invalid_field', 'missing_data',
    'too_often')) not valid,
  add constraint broadcast_recipients_call_state_check check (call_state in ('called', 'texted', 'duplicate',
    'do_not_call', 'invalid', 'not_verified', 'excluded', 'too_often')) not valid;

-- Calls of broadcasts count too.
create index calls_of_phone on calls (account_id, phone, created_at) where broadcast_id is not null;
