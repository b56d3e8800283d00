-- The sentence with which a step was refused, where no code says it: "That would be 5,000 texts on that day …".
alter table sequences add column failure_reason text not null default '';
