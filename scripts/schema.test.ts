import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Postgres, startTemporaryPostgres } from './postgres.ts';
import { generateSchema } from './schema.ts';
import { allowedValues } from './schema-types.ts';

const migration = `
  create extension pg_trgm;
  create domain phone as text check (value ~ '^[0-9]{10,15}$');
  create domain channel as text not null check (value in ('Text', 'Voice'));
  create role schema_test_app;
  grant usage on schema public to schema_test_app;
  create function touch() returns trigger language plpgsql as $$ begin new.updated_at = now(); return new; end $$;
  create table accounts (
    account_id bigint generated always as identity primary key,
    name text not null unique,
    balance_cents bigint not null default 0,
    settings jsonb not null default '{}',
    updated_at timestamptz
  );
  create trigger touch before update on accounts for each row execute function touch();
  comment on table accounts is 'One organization''s.';
  create table messages (
    message_id uuid primary key default uuidv7(),
    account_id bigint not null references accounts on delete cascade,
    phone phone not null,
    channel channel,
    status text not null default 'Queued' check (status in ('Queued', 'Sent', 'It''s odd')),
    reason text check (reason is null or reason in ('Opt out', 'Window')),
    aggregator_id int check (aggregator_id in (2, 5)),
    length int check (length > 0),
    tags text[] not null default '{}',
    words tsvector generated always as (to_tsvector('simple', status)) stored,
    sent_at timestamptz not null default now(),
    on_day date,
    price numeric(10, 4),
    check (status <> 'Sent' or reason is null)
  );
  create index messages_phone on messages using gin (phone gin_trgm_ops);
  alter table messages alter reason set statistics 0;
  alter table messages enable row level security;
  alter table messages force row level security;
  create policy own on messages to schema_test_app using (account_id = current_setting('app.account')::bigint);
  grant select, insert on messages to schema_test_app;
  grant update (status) on messages to schema_test_app;
  create view sent as select message_id, sent_at from messages where status = 'Sent';
`;

describe('generateSchema', () => {
  let postgres: Postgres;
  let sql: string;
  let types: string;

  beforeAll(async () => {
    postgres = await startTemporaryPostgres();
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(migration);
    await client.end();
    ({ sql, types } = await generateSchema(postgres.url));
  });

  afterAll(async () => {
    await postgres?.stop();
  });

  it.each([
    ['an extension', 'create extension pg_trgm;'],
    ['a domain', 'create domain phone as text\n  constraint phone_check CHECK'],
    ['a domain that is never null', 'create domain channel as text not null'],
    ['a function', 'CREATE OR REPLACE FUNCTION public.touch()'],
    ['an identity column', '  account_id bigint not null generated always as identity,'],
    ['a default', "  status text not null default 'Queued'::text,"],
    ['a generated column', 'stored,\n  sent_at'],
    ['a primary key', 'constraint messages_pkey PRIMARY KEY (message_id)'],
    ['a foreign key', 'FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE'],
    ['an index', 'CREATE INDEX messages_phone ON public.messages USING gin (phone gin_trgm_ops);'],
    ['a column whose values are not counted', 'alter table messages alter reason set statistics 0;'],
    ['a trigger', 'CREATE TRIGGER touch BEFORE UPDATE ON accounts'],
    ['row level security', 'alter table messages enable row level security;'],
    ['forced row level security', 'alter table messages force row level security;'],
    [
      'a policy with its role',
      'create policy own on messages as permissive for all to schema_test_app\n  using (',
    ],
    ['a grant', 'grant insert, select on messages to schema_test_app;'],
    ['a grant on a column', 'grant update (status) on messages to schema_test_app;'],
    ['a grant on the schema', 'grant usage on schema public to schema_test_app;'],
    ['a comment', "comment on table accounts is 'One organization''s.';"],
    ['a view', 'create view sent as\n'],
  ])('dumps %s', (_, text) => {
    expect(sql).toContain(text);
  });

  it('lists tables by name and leaves out what an extension brought', () => {
    expect(sql.indexOf('-- accounts')).toBeLessThan(sql.indexOf('-- messages'));
    expect(sql).not.toContain('similarity');
  });

  it('says the same when asked again', async () => {
    expect(await generateSchema(postgres.url)).toEqual({ sql, types });
  });

  it.each([
    ['identity that only the database gives', 'account_id: GeneratedAlways<number>;'],
    ['plain text', '  name: string;'],
    ['int8 with a default', 'balance_cents: Generated<number>;'],
    ['jsonb', 'settings: Generated<Json>;'],
    ['a time that may be missing', 'updated_at: Timestamp | null;'],
    ['a uuid with a default', 'message_id: Generated<string>;'],
    ['a domain as what it is based on', '  phone: string;'],
    ['a domain with allowed values and not null', "  channel: 'Text' | 'Voice';"],
    ['a checked text as its values', "status: Generated<'Queued' | 'Sent' | 'It\\'s odd'>;"],
    ['a checked text that may be null', "reason: 'Opt out' | 'Window' | null;"],
    ['checked numbers', 'aggregator_id: 2 | 5 | null;'],
    ['another check as the plain type', 'length: number | null;'],
    ['an array', 'tags: Generated<string[]>;'],
    ['a generated column', 'words: GeneratedAlways<string | null>;'],
    ['a time with a default', 'sent_at: Generated<Timestamp>;'],
    ['a date', 'on_day: string | null;'],
    ['exact decimals', 'price: string | null;'],
    [
      'all tables',
      'export interface DB {\n  accounts: AccountsTable;\n  messages: MessagesTable;\n  sent: SentTable;\n}',
    ],
  ])('types %s', (_, text) => {
    expect(types).toContain(text);
  });
});

describe('allowedValues', () => {
  it.each([
    ["CHECK ((status = ANY (ARRAY['a'::text, 'b'::text])))", ["'a'", "'b'"]],
    [
      "CHECK (((status)::text = ANY ((ARRAY['a'::character varying, 'b, c'::character varying])::text[])))",
      ["'a'", "'b, c'"],
    ],
    ["CHECK ((status = 'only'::text))", ["'only'"]],
    ["CHECK (((status IS NULL) OR (status = ANY (ARRAY['a'::text]))))", ["'a'"]],
    ["CHECK ((status = ANY (ARRAY['a'::text, lower('B'::text)])))", undefined],
    ['CHECK ((length(status) = 3))', undefined],
    ["CHECK (((status = 'a'::text) OR (other = 'b'::text)))", undefined],
  ])('reads %s', (check, values) => {
    expect(allowedValues(check, 'status')).toEqual(values);
  });
});
