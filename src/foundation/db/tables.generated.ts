// Generated from src/foundation/db/migrations by `npm run generate`.
export interface Tables {
  access_tokens: {
    id: string
    digest: string
    client_id: string
    session_id: string | null
    install_id: string | null
    service_account_id: string | null
    credential_id: string | null
    scopes: string | null
    issued_at: number
    expires_at: number
  }
  advisory_snapshot_parts: {
    digest: string
    n: number
    bytes: Uint8Array
  }
  advisory_snapshots: {
    digest: string
    built_at: number
    checked_at: number
    source: string
    is_starter_set: number
    records: number
    size_bytes: number
    stored_at: number
    ready: number
  }
  app_installs: {
    id: string
    bot_id: string
    app_id: string
    group_id: string
    org_id: string | null
    user_id: string | null
    client_id: string | null
    created_at: number
    updated_at: number
  }
  app_sessions: {
    id: string
    app_id: string
    user_id: string
    bot_id: string
    scopes: string
    created_at: number
    last_used_at: number | null
  }
  apps: {
    id: string
    group_id: string
    org_id: string
    name: string
    client_id: string | null
    context: string
    grant_type: string
    is_confidential: number
    is_public: number
    redirect_uris: string
    scopes: string
    access_token_ttl_seconds: number
    created_at: number
    updated_at: number
  }
  audit_events: {
    id: string
    at: number
    action: string
    group_id: string | null
    org_id: string | null
    actor_kind: string
    actor_id: string | null
    actor_name: string
    credential_id: string | null
    target_kind: string
    target_id: string
    before: string | null
    after: string | null
    request_id: string | null
    address: string | null
  }
  credentials: {
    id: string
    kind: string
    owner_kind: string
    owner_id: string
    name: string
    digest: string
    hint: string
    created_at: number
    last_used_at: number | null
    expires_at: number | null
    retires_at: number | null
    replaced_at: number | null
    allowed_networks: string | null
  }
  groups: {
    id: string
    name: string
    slug: string
    created_at: number
    updated_at: number
  }
  idempotency_keys: {
    principal_id: string
    idempotency_key: string
    request_digest: string
    answer: Uint8Array
    created_at: number
  }
  jobs: {
    id: string
    kind: string
    payload: string
    unique_key: string | null
    state: string
    due_at: number
    attempts: number
    lease_owner: string | null
    lease_ends_at: number | null
    last_error: string | null
    created_at: number
    updated_at: number
  }
  licence_policies: {
    org_id: string
    rules: string
    unlisted: string
    unknown: string
    created_at: number
    updated_at: number
  }
  memberships: {
    id: string
    principal_kind: string
    principal_id: string
    group_id: string
    org_id: string | null
    role_id: string
    created_at: number
  }
  oauth_records: {
    model: string
    id: string
    payload: Uint8Array
    uid: string | null
    session_id: string | null
    consumed_at: number | null
    expires_at: number | null
  }
  orgs: {
    id: string
    group_id: string
    name: string
    slug: string
    created_at: number
    updated_at: number
  }
  registry_cache: {
    key: string
    url: string
    status: number
    etag: string | null
    last_modified: string | null
    body: Uint8Array | null
    size_bytes: number
    fetched_at: number
    validated_at: number
    used_at: number
  }
  roles: {
    id: string
    group_id: string | null
    name: string
    description: string
    permissions: string
    created_at: number
    updated_at: number
  }
  service_accounts: {
    id: string
    group_id: string
    org_id: string | null
    name: string
    auth_type: string
    client_id: string | null
    jwks_url: string | null
    access_token_ttl_seconds: number | null
    created_at: number
    updated_at: number
  }
  settings: {
    name: string
    value: string
  }
  sign_in_failures: {
    id: string
    failures: number
    last_at: number
    blocked_until: number
  }
  signing_keys: {
    id: string
    algorithm: string
    public_key: string
    private_key: Uint8Array
    created_at: number
    used_from: number
  }
  users: {
    id: string
    group_id: string
    email: string
    username: string
    name: string
    password_hash: string | null
    created_at: number
    updated_at: number
  }
}
