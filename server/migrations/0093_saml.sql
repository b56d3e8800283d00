-- An organization's directory may also speak SAML. Its issuer is its entity ID; what else it says of itself (where people
-- sign in, the certificates that its answers are signed with, where that can be read again) is in saml.
alter table sso_providers
  add column protocol text not null default 'oidc' check (protocol in ('oidc', 'saml')),
  add column saml jsonb,
  alter column client_id drop not null,
  alter column client_secret drop not null,
  add constraint sso_providers_complete check (
    case protocol when 'saml' then saml is not null else client_id is not null and client_secret is not null end);

-- What a SAML directory sent back, verified, until the page that it was sent to asks for it.
alter table one_time_tokens drop constraint one_time_tokens_purpose_check;
alter table one_time_tokens add constraint one_time_tokens_purpose_check
  check (purpose in ('signIn', 'totpSetup', 'passkeySetup', 'confirm', 'sso', 'labs', 'samlAnswer'));
