-- What was chosen when it was started, as a hash: the same key with other choices is refused.
alter table broadcasts add column emergency_choices text;
