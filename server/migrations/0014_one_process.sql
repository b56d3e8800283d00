-- PostgreSQL takes the newest texts of a large account for a tenth of them, and had helpers started to look through two
-- thousand: 12 ms for half a millisecond of work, in every search.
alter function find_messages set max_parallel_workers_per_gather = 0;
