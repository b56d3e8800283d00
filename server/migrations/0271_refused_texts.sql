-- Texts that no carrier accepted: they failed without having been sent.
alter table daily_texts add column refused integer not null default 0;

update daily_texts d set refused = r.texts - d.sent
from (
  select account_id, day, text_number_id, sum(texts) as texts from daily_results
  where dimension = 'hour' group by 1, 2, 3
) r
where r.account_id = d.account_id and r.day = d.day and r.text_number_id = d.text_number_id and r.texts > d.sent;
