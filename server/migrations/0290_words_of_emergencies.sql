-- The words by which two people's emergencies are recognized as the same one. A broadcast that only calls has no
-- text. Without what Muster adds to a drill, which depends on the language of whoever starts it.
alter table broadcasts add column emergency_words text;
