-- In the URL of the webhook that reports how the verification of this caller ID ended: it proves which organization's it is.
alter table caller_ids add verify_key uuid;
