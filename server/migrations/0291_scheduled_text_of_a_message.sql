-- Whether a text was scheduled, and when: a reply isn't answered by a text that was scheduled before it came.
create index scheduled_recipients_of_message on scheduled_recipients (account_id, message_id) where message_id is not null;
