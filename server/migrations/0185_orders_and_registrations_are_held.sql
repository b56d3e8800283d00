-- Whoever works on an order or a registration holds it: made due meanwhile, it is taken up again only afterwards. look_at
-- alone said both when it is due and that somebody has it, so a webhook let a second worker begin with it.
alter table number_orders add column held_until timestamptz;
alter table registration_requests add column held_until timestamptz;
