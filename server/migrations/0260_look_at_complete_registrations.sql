-- A registry may revoke an approval: the newest complete one of each kind is looked at every day.
-- Spread over a day, so that they don't all come at once.
update registration_requests r set look_at = now() + random() * interval '1 day'
where r.status = 'Complete' and r.look_at is null and not exists (
  select from registration_requests n
  where n.account_id = r.account_id and n.kind = r.kind and n.request_id > r.request_id);
