// Generated from src/foundation/db/migrations by `npm run generate`.
import type { Generated } from 'kysely'

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
    exploit_sources: string
  }
  advisory_syncs: {
    id: string
    state: string
  }
  announced_due_days: {
    org_id: string
    issue_id: string
    place_id: string
    due_day: number
  }
  announced_expiries: {
    credential_id: string
    ends_at: number
    type: string
    announced_at: number
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
    ended_at: number | null
  }
  archive_pieces: {
    archive_id: string
    place: number
    content: Uint8Array
  }
  archives: {
    id: string
    integration_id: string
    name: string
    size_bytes: number
    digest: string
    is_whole: number
    created_at: number
    is_in_bucket: number
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
  events: {
    id: string
    org_id: string
    type: string
    body: string
    at: number
  }
  factor_challenges: {
    digest: string
    purpose: string
    holder: string
    secret: Uint8Array | null
    expires_at: number
  }
  groups: {
    id: string
    name: string
    slug: string
    created_at: number
    updated_at: number
    second_factor: string | null
    session_hours: number | null
    session_idle_minutes: number | null
  }
  idempotency_keys: {
    principal_id: string
    idempotency_key: string
    request_digest: string
    answer: Uint8Array
    created_at: number
  }
  identities: {
    id: string
    provider_id: string
    subject: string
    user_id: string
    created_at: number
    last_sign_in_at: number
    refresh_token: Uint8Array | null
    checked_at: number
  }
  identity_provider_domains: {
    domain: string
    provider_id: string
  }
  identity_provider_roles: {
    provider_id: string
    position: number
    claim_value: string | null
    org_id: string | null
    role_id: string
  }
  identity_providers: {
    id: string
    group_id: string
    name: string
    issuer: string
    client_id: string
    client_secret: Uint8Array | null
    mode: string
    creates_accounts: number
    trusts_emails: number
    role_claim: string | null
    created_at: number
    updated_at: number
    last_sign_in_at: number | null
    last_failure_at: number | null
    last_failure: string | null
  }
  ignored_issues: {
    project_number: number
    issue_id: string
    ignored_until: number
    own_until: number | null
    policy_until: number | null
  }
  ignores: {
    id: string
    project_number: number
    org_id: string
    issue_id: string
    path: string
    reason: string
    reason_type: string
    disregard_if_fixable: number
    expires_at: number | null
    known_as: string
    effect: string
    ignored_by_id: string
    ignored_by_name: string
    ignored_by_email: string
    created_at: number
    updated_at: number
    source: string
  }
  import_manifests: {
    import_id: string
    path: string
    type: string
    state: string
    project_id: string | null
    message: string | null
    ended_at: number | null
    claimed_by: string | null
  }
  import_workers: {
    id: string
    import_id: string
    process_id: string
    lease_ends_at: number
  }
  imports: {
    id: string
    org_id: string
    integration_id: string
    target_id: string | null
    name: string
    target: string
    files: string | null
    exclusion_globs: string | null
    cause: string
    state: string
    requested_by_id: string | null
    requested_by_name: string
    reference: string | null
    revision: string | null
    message: string | null
    is_truncated: number
    created_at: number
    started_at: number | null
    listed_at: number | null
    ended_at: number | null
    left_out: string | null
  }
  integrations: {
    id: string
    org_id: string
    kind: string
    name: string
    base_url: string | null
    settings: string
    credentials: Uint8Array | null
    created_at: number
    updated_at: number
  }
  issue_aliases: {
    alias: string
    issue_id: string
  }
  issue_comments: {
    id: string
    project_number: number | null
    target_id: string | null
    issue_id: string
    author_id: string
    author_name: string
    body: string
    created_at: number
    updated_at: number
  }
  issue_groups: {
    org_number: number
    kind: string
    group_key: string
    severity: number
    score: number
    is_exploited: number
    is_fixable: number
    known_since: number
    registry: string
    details: string
    search_text: string
    projects: number
    issues: number
    ignored: number
    is_stale: number
    exploited_since: number
    direct: number
    cves: string
    epss: number
    epss_percentile: number
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
    org_id: string | null
  }
  license_policies: {
    org_id: string
    rules: string
    unlisted: string
    unknown: string
    created_at: number
    updated_at: number
    revision: number
    counted_revision: number
  }
  matched_advisories: {
    id: string
    digest: string
    next_digest: string | null
    matched_at: number
    change_number: number
    epss_digest: string
  }
  memberships: {
    id: string
    principal_kind: string
    principal_id: string
    group_id: string
    org_id: string | null
    role_id: string
    created_at: number
    provider_id: string | null
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
  org_issues: {
    org_number: number
    package_number: number
    issue_id: string
    severity: number
    known_since: number
    policy_number: number | null
  }
  org_numbers: {
    number: Generated<number>
    org_id: string
  }
  org_packages: {
    org_number: number
    package_number: number
    name: string
    version: string
    severity: number
    projects: number
    spelling: string | null
    license: string | null
  }
  org_trends: {
    org_id: string
    day: number
    severity: number
    change: number
    opened: number
    fixed: number
    ignored: number
    timed: number
    fix_ms: number
  }
  org_upgrades: {
    org_id: string
    registry: string
    package: string
    from_version: string
    to_version: string
    fixes: number
    critical: number
    projects: number
  }
  orgs: {
    id: string
    group_id: string
    name: string
    slug: string
    created_at: number
    updated_at: number
    policy_files: string | null
  }
  package_issues: {
    package_number: number
    issue_id: string
    severity: number
    title: string
    facts: string
  }
  package_name_parts: {
    part: string
    registry: string
    name: string
  }
  package_names: {
    registry: string
    name: string
    package_number: number
  }
  packages: {
    number: Generated<number>
    registry: string
    name: string
    version: string
    variant: string
  }
  packages_to_recount: {
    package_number: number
    change_number: number
    after_org: number
    after_project: number
  }
  password_resets: {
    user_id: string
    digest: string
    created_at: number
    expires_at: number
  }
  pending_sign_ins: {
    digest: string
    user_id: string
    mark: string
    failures: number
    expires_at: number
    identity_id: string | null
    provider_session: string | null
  }
  policies: {
    number: Generated<number>
    id: string
    owner_id: string
    group_id: string
    org_id: string | null
    name: string
    reason: string
    reason_type: string
    expires_at: number | null
    conditions: string
    source: string
    document: string | null
    statement: string | null
    created_by_id: string
    created_by_name: string
    created_at: number
    updated_at: number
    deleted_at: number | null
    changed_revision: number
    evaluated: number
    is_canceled: number
    severity: number | null
  }
  policy_effects: {
    project_number: number
    issue_id: string
    policy_number: number
  }
  policy_owners: {
    owner_id: string
    group_id: string
    org_id: string | null
    revision: number
    evaluated_revision: number
    running_revision: number
    after_project: number
    done: number
    total: number
  }
  project_issue_counts: {
    project_number: number
    change_number: number
    policy_revision: number
    valid_until: number
    critical: number
    high: number
    medium: number
    low: number
    ignored_critical: number
    ignored_high: number
    ignored_medium: number
    ignored_low: number
    org_number: number
    listed: string
    exploited: number
    fixable: number
  }
  project_name_parts: {
    org_number: number
    part: string
    project_number: number
  }
  project_packages: {
    project_number: number
    package_number: number
    org_number: number
    is_direct: number
  }
  project_states: {
    project_number: number
    test_id: string
    graph: Uint8Array
    advice: Uint8Array
    coverage: string
    source: Uint8Array | null
  }
  project_tests: {
    id: string
    project_number: number
    tested_at: number
    cause: string
    counts: string
    total_dependencies: number
    revision: string | null
  }
  project_trends: {
    project_number: number
    day: number
    severity: number
    change: number
    opened: number
    fixed: number
    ignored: number
    timed: number
    fix_ms: number
  }
  project_upgrades: {
    project_number: number
    registry: string
    package: string
    from_version: string
    to_version: string
    fixes: number
    critical: number
  }
  projects: {
    number: Generated<number>
    id: string
    org_id: string
    target_id: string
    place_key: string
    name: string
    origin: string
    type: string
    target_file: string | null
    target_reference: string | null
    status: string
    test_frequency: string
    owner_id: string | null
    importer_id: string | null
    importer_name: string
    business_criticality: string
    environment: string
    lifecycle: string
    tags: string
    total_dependencies: number
    licenses: string
    content_digest: string | null
    failure: string | null
    is_complete: number | null
    created_at: number
    updated_at: number
    tested_at: number | null
    monitored_at: number | null
    next_test_at: number | null
    source_read_at: number | null
    source_failure: string | null
    source_failed_at: number | null
    indexed_name: string | null
    indexed_org_id: string | null
  }
  recovery_codes: {
    digest: string
    user_id: string
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
  second_factors: {
    id: string
    user_id: string
    kind: string
    name: string
    secret: Uint8Array | null
    last_step: number | null
    credential_id: string | null
    public_key: Uint8Array | null
    sign_count: number | null
    transports: string | null
    created_at: number
    last_used_at: number | null
  }
  secret_keys: {
    id: string
    wrapped_by: string
    wrapped: Uint8Array
    active_at: number
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
    expires_at: number | null
    allowed_networks: string | null
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
  single_sign_ons: {
    digest: string
    provider_id: string
    browser: string
    secrets: Uint8Array
    expires_at: number
  }
  sla_policies: {
    org_id: string
    critical_days: number | null
    high_days: number | null
    medium_days: number | null
    low_days: number | null
    exploited_days: number | null
    updated_at: number
  }
  stored_objects: {
    key: string
    archive_id: string
    created_at: number
    orphaned_at: number | null
  }
  target_issue_counts: {
    target_id: string
    org_id: string
    critical: number
    high: number
    medium: number
    low: number
  }
  targets: {
    id: string
    org_id: string
    integration_id: string | null
    origin: string
    source_key: string
    display_name: string
    url: string | null
    is_private: number
    created_at: number
  }
  trend_changes: {
    id: Generated<number>
    org_id: string
    target_id: string
    day: number
    severity: number
    change: number
    opened: number
    fixed: number
    ignored: number
    timed: number
    fix_ms: number
  }
  triaged_issues: {
    id: string
    project_number: number | null
    target_id: string | null
    issue_id: string
    assignee_id: string | null
    assignee_name: string | null
    due_day: number | null
    updated_at: number
  }
  unannounced_issues: {
    org_number: number
    issue_id: string
    packages: string
    after_project: number
    known_since: number
  }
  unevaluated_issues: {
    package_number: number
    issue_id: string
    after_org: number
    after_project: number
  }
  unjudged_issues: {
    issue_id: string
    after_project: number
  }
  unmatched_packages: {
    package_number: number
  }
  upgrade_changes: {
    id: Generated<number>
    org_id: string
    registry: string
    package: string
    from_version: string
    to_version: string
    fixes: number
    critical: number
    projects: number
  }
  used_logout_tokens: {
    digest: string
    expires_at: number
  }
  user_sessions: {
    id: string
    user_id: string
    digest: string
    mark: string
    user_agent: string
    address: string
    created_at: number
    signed_in_at: number
    last_used_at: number
    identity_id: string | null
    provider_session: string | null
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
    factors_changed_at: number | null
    disabled_at: number | null
    disabled_by: string | null
    break_glass: number | null
  }
  vanished_projects: {
    project_id: string
    vanished_at: number
  }
  webhook_deliveries: {
    id: string
    webhook_id: string
    event_id: string
    state: string
    attempts: number
    due_at: number
    gives_up_at: number
    last_status: number | null
    last_error: string | null
    answer: string | null
    created_at: number
    attempted_at: number | null
  }
  webhooks: {
    id: string
    org_id: string
    url: string
    description: string
    events: string
    secret: Uint8Array
    previous_secret: Uint8Array | null
    previous_ends_at: number | null
    is_active: number
    deactivation: string | null
    failures: number
    failing_since: number | null
    turn_owner: string | null
    turn_ends_at: number
    next_turn_at: number
    created_at: number
    updated_at: number
  }
}
