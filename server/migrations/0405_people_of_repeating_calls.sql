-- A repeating broadcast that calls kept the number of people it texts, which is nobody. Count those it reaches, by text or
-- by call, as new ones do.
update broadcasts b set reach_count = o.reached, left_out_count = o.total - o.reached
from (
  select m.account_id, m.broadcast_id, count(*) as total,
    count(*) filter (where r.call_state = 'called' or (m.broadcast_type like 'SMS%' and r.problem is null)) as reached
  from broadcasts m
  join broadcast_recipients r on r.account_id = m.account_id and r.broadcast_id = m.broadcast_id
  where m.status = 'model' and m.broadcast_type ~ '(Announcement|Survey)$'
  group by m.account_id, m.broadcast_id
) o
where b.account_id = o.account_id and b.broadcast_id = o.broadcast_id;
