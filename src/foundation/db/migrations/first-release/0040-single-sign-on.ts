import type { Migration } from '../../migration.ts'

export const singleSignOn: Migration = {
  name: '0040-single-sign-on',
  statements: ({ text, bytes }) => [
    // No credential of a disabled user works. `disabled_by` says who can enable the user again.
    'alter table users add column disabled_at bigint',
    `alter table users add column disabled_by ${text} check (disabled_by in ('administrator', 'provider'))`,
    // 1: signs in with a password even if a provider is required; otherwise null.
    'alter table users add column break_glass integer',
    // `client_secret` is encrypted; null for a public client. `role_claim` is null if claims grant no roles.
    `create table identity_providers (
      id ${text} not null primary key,
      group_id ${text} not null references groups (id) on delete cascade,
      name ${text} not null check (name <> ''),
      issuer ${text} not null,
      client_id ${text} not null,
      client_secret ${bytes},
      mode ${text} not null check (mode in ('optional', 'required')),
      creates_accounts integer not null,
      trusts_emails integer not null,
      role_claim ${text},
      created_at bigint not null,
      updated_at bigint not null,
      last_sign_in_at bigint,
      last_failure_at bigint,
      last_failure ${text}
    )`,
    'create index identity_providers_by_group on identity_providers (group_id, created_at, id)',
    // A domain belongs to one provider of the server.
    `create table identity_provider_domains (
      domain ${text} not null primary key,
      provider_id ${text} not null references identity_providers (id) on delete cascade
    )`,
    'create index identity_provider_domains_by_provider on identity_provider_domains (provider_id)',
    // Roles that a value of the claim grants, in the group if `org_id` is null; for every user if `claim_value` is null. The
    // first one of a place counts.
    `create table identity_provider_roles (
      provider_id ${text} not null references identity_providers (id) on delete cascade,
      position integer not null,
      claim_value ${text},
      org_id ${text} references orgs (id) on delete cascade,
      role_id ${text} not null references roles (id) on delete cascade,
      primary key (provider_id, position)
    )`,
    'create index identity_provider_roles_by_org on identity_provider_roles (org_id)',
    'create index identity_provider_roles_by_role on identity_provider_roles (role_id)',
    // Users as providers know them. `refresh_token` is encrypted; with it a job checks whether the provider still lets the
    // user in.
    `create table identities (
      id ${text} not null primary key,
      provider_id ${text} not null references identity_providers (id) on delete cascade,
      subject ${text} not null,
      user_id ${text} not null references users (id) on delete cascade,
      created_at bigint not null,
      last_sign_in_at bigint not null,
      refresh_token ${bytes},
      checked_at bigint not null
    )`,
    'create unique index identities_by_subject on identities (provider_id, subject)',
    'create unique index identities_by_user on identities (user_id, provider_id)',
    'create index identities_by_check on identities (checked_at)',
    // Browsers that were sent to a provider. `digest` is a keyed digest of the state, `browser` of a cookie. `secrets` is
    // encrypted: nonce, PKCE verifier, and the path to return to.
    `create table single_sign_ons (
      digest ${text} not null primary key,
      provider_id ${text} not null references identity_providers (id) on delete cascade,
      browser ${text} not null,
      secrets ${bytes} not null,
      expires_at bigint not null
    )`,
    'create index single_sign_ons_by_provider on single_sign_ons (provider_id)',
    'create index single_sign_ons_by_expiry on single_sign_ons (expires_at)',
    // Keyed digests of the logout tokens that were used.
    `create table used_logout_tokens (
      digest ${text} not null primary key,
      expires_at bigint not null
    )`,
    // The identity with which a session began, and the provider's name of its own session (`sid`).
    `alter table user_sessions add column identity_id ${text} references identities (id) on delete cascade`,
    `alter table user_sessions add column provider_session ${text}`,
    'create index user_sessions_by_identity on user_sessions (identity_id)',
    `alter table pending_sign_ins add column identity_id ${text} references identities (id) on delete cascade`,
    `alter table pending_sign_ins add column provider_session ${text}`,
    'create index pending_sign_ins_by_identity on pending_sign_ins (identity_id)',
    // The provider whose claims granted a role; null for roles that people gave.
    `alter table memberships add column provider_id ${text} references identity_providers (id) on delete set null`,
    'create index memberships_by_provider on memberships (provider_id)',
  ],
}
