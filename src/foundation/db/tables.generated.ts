// Generated from src/foundation/db/migrations by `npm run generate`.
export interface Tables {
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
  memberships: {
    id: string
    principal_kind: string
    principal_id: string
    group_id: string
    org_id: string | null
    role_id: string
    created_at: number
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
