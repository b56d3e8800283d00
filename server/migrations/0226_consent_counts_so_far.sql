-- In a transaction of its own: 0225 locks accounts, and this reads every phone. What a process has counted already stays.
-- A database's owner who is no superuser sees no rows of accounts, so this is done by a role that does.
set local role muster_system;
insert into consent_counts as c (account_id, quarter, texts_out, calls_out, texts_in)
select account_id, quarter, coalesce(n.texts_out, 0) - coalesce(k.texts_out, 0),
  coalesce(n.calls_out, 0) - coalesce(k.calls_out, 0), coalesce(n.texts_in, 0) - coalesce(k.texts_in, 0)
from (
  select account_id, date_bin('15 minutes', at, 'epoch') as quarter, sum(texts_out) as texts_out,
    sum(calls_out) as calls_out, sum(texts_in) as texts_in
  from (
    select account_id, text_changed_at as at, 1 as texts_out, 0 as calls_out, 0 as texts_in
    from phone_consents where text_state = 'out' and text_changed_at is not null
    union all
    select account_id, voice_changed_at, 0, 1, 0
    from phone_consents where voice_state = 'out' and voice_changed_at is not null
    union all
    select account_id, text_changed_at, 0, 0, 1
    from phone_consents
    where text_state = 'in' and text_changed_at is distinct from declared_at and text_changed_at is not null
  ) counted
  group by 1, 2
) n full join consent_counts k using (account_id, quarter)
where (coalesce(n.texts_out, 0), coalesce(n.calls_out, 0), coalesce(n.texts_in, 0))
  <> (coalesce(k.texts_out, 0), coalesce(k.calls_out, 0), coalesce(k.texts_in, 0))
order by 1, 2
on conflict (account_id, quarter) do update set texts_out = c.texts_out + excluded.texts_out,
  calls_out = c.calls_out + excluded.calls_out, texts_in = c.texts_in + excluded.texts_in;
reset role;
