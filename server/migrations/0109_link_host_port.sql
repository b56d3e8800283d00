-- Short links may be on a host with a port of its own.
alter table accounts drop constraint accounts_link_host_check;
alter table accounts add constraint accounts_link_host_check
  check (link_host ~ '^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[0-9]{1,5})?$');
