-- A domain counts for single sign-on once somebody who reads its postmaster's mail has agreed. Those that are in use
-- stay in use.
alter table sso_providers add column proved_domains text[] not null default '{}';
update sso_providers set proved_domains = domains;
drop index sso_providers_domains;
create index sso_providers_proved_domains on sso_providers using gin (proved_domains);

alter table one_time_tokens drop constraint one_time_tokens_purpose_check;
alter table one_time_tokens add constraint one_time_tokens_purpose_check
  check (purpose in ('signIn', 'totpSetup', 'passkeySetup', 'confirm', 'sso', 'labs', 'samlAnswer', 'integration', 'ssoDomain'));
