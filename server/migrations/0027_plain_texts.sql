-- Texts go out in plain characters (contract/text/normalise-text.ts) unless somebody wants them as they were written.
alter table broadcasts add column keep_characters boolean not null default false;
alter table scheduled_conversations add column keep_characters boolean not null default false;
-- What was sent before is counted and paid for as it was written.
update broadcasts set keep_characters = true where status not in ('draft', 'model');

-- Personalized texts that lack a value are left out, unless somebody says that they go with the gap.
alter table broadcasts add column accepts_missing boolean not null default false;
-- How many go out with one, as the last merge counted them.
alter table broadcasts add column merge_gaps integer not null default 0;
alter table broadcast_recipients drop constraint broadcast_recipients_problem_check;
alter table broadcast_recipients add constraint broadcast_recipients_problem_check check (problem in (
  'duplicate', 'opted_out', 'not_opted_in', 'not_textable', 'unreachable', 'invalid', 'not_verified', 'excluded', 'too_long',
  'invalid_field', 'missing_data'));
