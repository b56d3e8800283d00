-- Apart from 0221, which locks out everybody who reads invoices.
create index invoices_earning on invoices (next_earning_at) where next_earning_at is not null;
