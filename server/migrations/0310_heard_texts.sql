-- Inbound texts that came over a connection and whose acknowledgment may not have reached the carrier yet. It may send them
-- again over any connection, to any process. Rows leave when the connection has proved that it works; those of a lost
-- connection, or of a killed process, stay for ten minutes, and the next text with the same words is the same text.
create table heard_texts (
  heard_id bigint generated always as identity primary key,
  aggregator_id smallint not null,
  -- Of its phones, its words and its place among the parts.
  hash bytea not null,
  connection uuid not null,
  heard_at timestamptz not null default now()
);
grant select, insert, update, delete on heard_texts to muster_system;
create index heard_texts_hash on heard_texts (hash);
create index heard_texts_connection on heard_texts (connection, heard_at);
create index heard_texts_old on heard_texts (heard_at);
