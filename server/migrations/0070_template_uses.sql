-- How often a saved text was put into a message: the message library shows it, and lists those that never were.
alter table templates add column use_count integer not null default 0;
update templates set use_count = 1 where last_used_at is not null;
