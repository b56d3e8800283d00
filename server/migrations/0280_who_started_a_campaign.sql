-- A campaign runs in the name of whoever started it, who isn't always the user who began its draft.
alter table sequences add column started_by_user_id bigint;
set local role muster_system;
update sequences q set started_by_user_id = coalesce(b.sent_by_user_id, q.user_id)
from broadcasts b
where b.account_id = q.account_id and b.broadcast_id = q.broadcast_id and q.status <> 'draft';
reset role;
