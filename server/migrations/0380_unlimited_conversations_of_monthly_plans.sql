-- A monthly plan includes conversations, so nothing more is charged for unlimited ones: they end with the month that is paid,
-- and what wasn't paid for them no longer stops a number from texting.
update text_numbers n
set flat_rate_status = case when n.flat_rate_status = 'Active' then 'CancelPending' end,
  flat_rate_end_at = case when n.flat_rate_status = 'Active' then n.flat_rate_end_at end
from accounts a
where a.account_id = n.account_id and a.type_id in (1, 3) and n.flat_rate_status in ('Active', 'BillingProblem');
