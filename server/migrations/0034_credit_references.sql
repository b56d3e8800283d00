-- What a movement of credits belongs to, so that a bill can be explained entry by entry. One entry may stand for many
-- texts that were handed over together, hence a set of ids. Entries from before have a note only.
alter table credit_entries
  add column reference_kind text check (reference_kind in ('broadcast', 'text', 'invoice', 'refund')),
  add column reference_ids bigint[],
  add check ((reference_kind is null) = (reference_ids is null));
