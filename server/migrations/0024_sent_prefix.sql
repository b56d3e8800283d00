-- What stood before the text of a broadcast when it was sent: the organization's name, where it wants that.
alter table broadcasts add column sent_prefix text not null default '';
