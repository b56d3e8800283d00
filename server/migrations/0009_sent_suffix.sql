-- The signature as it was when Send was pressed: it goes behind each personalised text, as it does in sent_body.
alter table broadcasts add column sent_suffix text not null default '';

-- Of those that are still to go out it is what stands behind the text and two line breaks.
update broadcasts set sent_suffix = substr(sent_body, length(body) + 3)
where status in ('scheduled', 'broadcasting', 'paused') and starts_with(sent_body, body || e'\n\n');
