-- How many phones of a user's contacts were looked up in the background that day, beside those that the user asked for.
alter table lookup_budgets add column contacts_asked integer not null default 0;
