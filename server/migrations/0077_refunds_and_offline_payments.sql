-- What is paid by check or transfer never passes the card processor: it has a book of its own, so that `cash` is always
-- what the processor's list says.
alter table money_entries drop constraint money_entries_book_check;
alter table money_entries add constraint money_entries_book_check
  check (book in ('cash', 'bank', 'credits', 'deferred', 'revenue', 'tax'));

-- Money that went back stands among an invoice's payments, below zero.
alter table invoice_payments drop constraint invoice_payments_amount_cents_check;
alter table invoice_payments add constraint invoice_payments_amount_cents_check check (amount_cents <> 0);
