-- The send loop has PostgreSQL look at them when it takes them for empty though they aren't (keep-statistics.ts).
grant maintain on outbox, messages to muster_system;
