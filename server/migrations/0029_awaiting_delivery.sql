-- sent: every text is with a carrier, and some carriers have not said yet what became of theirs. Completed means that
-- nothing changes any more.
alter table broadcasts drop constraint broadcasts_status_check;
alter table broadcasts add constraint broadcasts_status_check
  check (status in ('draft', 'model', 'scheduled', 'broadcasting', 'paused', 'sent', 'completed', 'canceled'));
-- When the last text was handed over, and when to look next whether all are answered.
alter table broadcasts add column all_sent_at timestamptz;
alter table broadcasts add column look_at timestamptz;
create index broadcasts_awaiting on broadcasts (look_at) where status = 'sent';
