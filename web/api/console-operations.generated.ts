// Made by tools/generate-client.ts.

/** Path parameters, query, body and answer of each operation. */
export interface ConsoleOperations {
  /** (POST /console/factors/app) */
  'addAppFactor': { params: Record<never, never>; query: Record<never, never>; body: { id: string; name: string; code: string }; answer: { id?: string; recovery_codes: (string)[] } }
  /** (POST /console/sign-in/factors/app) */
  'addAppFirstFactor': { params: Record<never, never>; query: Record<never, never>; body: { id: string; name: string; code: string }; answer: { id?: string; recovery_codes: (string)[] } }
  /** (POST /console/factors/passkey) */
  'addPasskeyFactor': { params: Record<never, never>; query: Record<never, never>; body: { name: string; credential: { id: string; rawId: string; type: "public-key"; clientExtensionResults: Record<never, never>; response: { clientDataJSON: string; attestationObject: string; transports?: (string)[] } } }; answer: { id?: string; recovery_codes: (string)[] } }
  /** (POST /console/sign-in/factors/passkey) */
  'addPasskeyFirstFactor': { params: Record<never, never>; query: Record<never, never>; body: { name: string; credential: { id: string; rawId: string; type: "public-key"; clientExtensionResults: Record<never, never>; response: { clientDataJSON: string; attestationObject: string; transports?: (string)[] } } }; answer: { id?: string; recovery_codes: (string)[] } }
  /** (POST /console/session) */
  'beginSession': { params: Record<never, never>; query: Record<never, never>; body: { email: string; password: string }; answer: { id: string } | { step: "verify" | "enroll"; email: string; has_app: boolean; has_passkey: boolean; passkeys_supported: boolean } }
  /** (POST /console/sign-in/single-sign-on) */
  'beginSingleSignOn': { params: Record<never, never>; query: Record<never, never>; body: { email: string; return_to?: string }; answer: { url: string } }
  /** (DELETE /console/sign-in/pending) */
  'cancelSecondStep': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: undefined }
  /** (POST /console/password) */
  'changePassword': { params: Record<never, never>; query: Record<never, never>; body: { current_password: string; password: string }; answer: undefined }
  /** (POST /console/groups/{group_id}/users/{user_id}/password-reset) */
  'createPasswordReset': { params: { group_id: string; user_id: string }; query: Record<never, never>; body: undefined; answer: { url: string; expires_at: string } }
  /** (POST /console/recovery-codes) */
  'createRecoveryCodes': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: { id?: string; recovery_codes: (string)[] } }
  /** (DELETE /console/factors/{id}) */
  'deleteFactor': { params: { id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** (DELETE /console/groups/{group_id}/users/{user_id}/factors) */
  'deleteFactorsOfUser': { params: { group_id: string; user_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** (DELETE /console/groups/{group_id}/identity-providers/{provider_id}) */
  'deleteProvider': { params: { group_id: string; provider_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** (DELETE /console/sessions/{id}) */
  'deleteUserSession': { params: { id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** (DELETE /console/sessions) */
  'deleteUserSessions': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: undefined }
  /** (DELETE /console/session) */
  'endSession': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: undefined }
  /** (GET /console/sign-in/pending) */
  'findSecondStep': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: { step: "verify" | "enroll"; email: string; has_app: boolean; has_passkey: boolean; passkeys_supported: boolean } | Record<never, never> }
  /** (GET /console/session) */
  'findSession': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: { id?: string } }
  /** (POST /console/sign-in/way) */
  'findSignInWay': { params: Record<never, never>; query: Record<never, never>; body: { email: string }; answer: { provider?: string; is_required?: boolean } }
  /** (GET /console/orgs/{org_id}/advisories) */
  'getAdvisoryState': { params: { org_id: string }; query: Record<never, never>; body: undefined; answer: { source: string; is_starter_set: boolean; has_exploited_catalog: boolean; exploit_sources: ({ source: string; kind: "kev" | "epss" | null; released: string; checked_at: string | null; entries: number; failure: string | null })[]; checked_at: string; registries: ({ registry: string; records: number; newest: string })[] } }
  /** (GET /console/groups/{group_id}/advisories/sync) */
  'getAdvisorySync': { params: { group_id: string }; query: Record<never, never>; body: undefined; answer: { state: "never" | "waiting" | "running" | "done" | "failed"; updated_at: string | null; phase: string | null; registry: string | null; done: number | null; total: number | null; failure: string | null } }
  /** (GET /console/orgs/{org_id}/counts) */
  'getCounts': { params: { org_id: string }; query: Record<never, never>; body: undefined; answer: { projects?: number; issues?: number; ignores?: number; failed_imports?: number; service_accounts?: number; apps?: number; installs?: number; members?: number } }
  /** (GET /console/orgs/{org_id}/overview) */
  'getOverview': { params: { org_id: string }; query: Record<never, never>; body: undefined; answer: { projects: { complete: number; incomplete: number; untested: number }; repositories: number; open: { critical: number; high: number; medium: number; low: number }; is_counting: boolean; worst_repositories: ({ id: string; name: string; projects: number; incomplete: number; open: { critical: number; high: number; medium: number; low: number } })[]; newly_exploited: ({ id: string; title: string; since: string; projects: number })[]; due: { overdue: number; soon: number } | null; upgrades: ({ registry: string; package: string; from_version: string; to_version: string; fixes: number; critical: number; projects: number })[]; advisories: { source: string; is_starter_set: boolean; has_exploited_catalog: boolean; exploit_sources: ({ source: string; kind: "kev" | "epss" | null; released: string; checked_at: string | null; entries: number; failure: string | null })[]; checked_at: string; registries: ({ registry: string; records: number; newest: string })[] } } }
  /** (GET /console/orgs/{org_id}/projects/{project_id}/trends) */
  'getProjectTrend': { params: { org_id: string; project_id: string }; query: { from?: string | undefined; to?: string | undefined }; body: undefined; answer: { from: string; to: string; since: string; mean_days_to_fix: { critical: number | null; high: number | null; medium: number | null; low: number | null }; first: string | null; days: number; changes: ((number)[])[] } }
  /** (GET /console/groups/{group_id}/sign-in-rules) */
  'getSignInRules': { params: { group_id: string }; query: Record<never, never>; body: undefined; answer: { second_factor: "required" | "optional"; session_hours: number | null; session_idle_minutes: number | null; members: number; with_factor: number; server: { session_hours: number; session_idle_minutes: number } } }
  /** (GET /console/groups/{group_id}/identity-providers) */
  'getSingleSignOn': { params: { group_id: string }; query: Record<never, never>; body: undefined; answer: { providers: ({ name: string; issuer: string; client_id: string; domains: (string)[]; mode: "optional" | "required"; creates_accounts: boolean; trusts_emails: boolean; role_claim: string | null; roles: ({ claim_value: string | null; org_id: string | null; role_id: string })[]; id: string; has_client_secret: boolean; users: number; redirect_uri: string; logout_uri: string; last_sign_in_at: string | null; last_failure_at: string | null; last_failure: string | null })[]; administrators: ({ id: string; name: string; email: string; break_glass: boolean; has_password: boolean; disabled: boolean })[]; disabled_users: ({ id: string; name: string; email: string; disabled_at: string; disabled_by: "administrator" | "provider" })[]; redirect_uri: string; logout_uri: string } }
  /** (GET /console/orgs/{org_id}/sparklines) */
  'getSparklines': { params: { org_id: string }; query: { by?: "repository" | "project" | undefined; ids?: string | undefined }; body: undefined; answer: { days: number; step_days: number; open: Record<string, (number)[]> } }
  /** (GET /console/orgs/{org_id}/trends) */
  'getTrend': { params: { org_id: string }; query: { from?: string | undefined; to?: string | undefined }; body: undefined; answer: { from: string; to: string; since: string; mean_days_to_fix: { critical: number | null; high: number | null; medium: number | null; low: number | null }; first: string | null; days: number; changes: ((number)[])[] } }
  /** (GET /console/factors) */
  'listFactors': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: { factors: ({ id: string; kind: "totp" | "passkey"; name: string; created_at: string; last_used_at: string | null })[]; recovery_codes: number; required_by: string | null; passkeys_supported: boolean; can_change: boolean } }
  /** (GET /console/orgs/{org_id}/repositories) */
  'listRepositories': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: { data: ({ id: string; name: string; projects: number; incomplete: number; open: { critical: number; high: number; medium: number; low: number }; untested: number; is_clean: boolean; types: (string)[]; tested_at: string | null } | null)[]; links: { next?: string; prev?: string } } }
  /** (GET /console/sessions) */
  'listUserSessions': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: ({ id: string; address: string; user_agent: string; signed_in_at: string; last_used_at: string; is_current: boolean })[] }
  /** (POST /console/factors/app/challenge) */
  'offerAppFactor': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: { id: string; secret: string; address: string } }
  /** (POST /console/sign-in/factors/app/challenge) */
  'offerAppFirstFactor': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: { id: string; secret: string; address: string } }
  /** (POST /console/factors/passkey/challenge) */
  'offerPasskeyFactor': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: { challenge: string; rp: { name: string }; user: { id: string; name: string; displayName: string }; pubKeyCredParams: ({ type: "public-key"; alg: number })[] } }
  /** (POST /console/sign-in/factors/passkey/challenge) */
  'offerPasskeyFirstFactor': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: { challenge: string; rp: { name: string }; user: { id: string; name: string; displayName: string }; pubKeyCredParams: ({ type: "public-key"; alg: number })[] } }
  /** (POST /console/passkey-session/challenge) */
  'offerPasskeySignIn': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: { challenge: string } }
  /** (POST /console/sign-in/passkey/challenge) */
  'offerPasskeyVerification': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: { challenge: string } }
  /** (POST /console/password-reset) */
  'resetPassword': { params: Record<never, never>; query: Record<never, never>; body: { token: string; password: string }; answer: undefined }
  /** (PUT /console/groups/{group_id}/identity-providers/{provider_id}) */
  'saveProvider': { params: { group_id: string; provider_id: string }; query: Record<never, never>; body: { name: string; issuer: string; client_id: string; client_secret?: string | null; domains: (string)[]; mode: "optional" | "required"; creates_accounts: boolean; trusts_emails: boolean; role_claim: string | null; roles: ({ claim_value: string | null; org_id: string | null; role_id: string })[] }; answer: { name: string; issuer: string; client_id: string; domains: (string)[]; mode: "optional" | "required"; creates_accounts: boolean; trusts_emails: boolean; role_claim: string | null; roles: ({ claim_value: string | null; org_id: string | null; role_id: string })[]; id: string; has_client_secret: boolean; users: number; redirect_uri: string; logout_uri: string; last_sign_in_at: string | null; last_failure_at: string | null; last_failure: string | null } }
  /** (POST /console/sign-in/code) */
  'sendCode': { params: Record<never, never>; query: Record<never, never>; body: { code: string }; answer: { id: string } }
  /** (POST /console/passkey-session) */
  'signInWithPasskey': { params: Record<never, never>; query: Record<never, never>; body: { credential: { id: string; rawId: string; type: "public-key"; clientExtensionResults: Record<never, never>; response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string } } }; answer: { id: string } }
  /** (POST /console/groups/{group_id}/advisories/sync) */
  'startAdvisorySync': { params: { group_id: string }; query: Record<never, never>; body: undefined; answer: { state: "never" | "waiting" | "running" | "done" | "failed"; updated_at: string | null; phase: string | null; registry: string | null; done: number | null; total: number | null; failure: string | null } }
  /** (POST /console/groups/{group_id}/identity-providers/{provider_id}/test) */
  'testProvider': { params: { group_id: string; provider_id: string }; query: Record<never, never>; body: undefined; answer: { ok: boolean; detail?: string } }
  /** (PUT /console/groups/{group_id}/users/{user_id}/break-glass) */
  'updateBreakGlass': { params: { group_id: string; user_id: string }; query: Record<never, never>; body: { break_glass: boolean }; answer: undefined }
  /** (PUT /console/groups/{group_id}/users/{user_id}/disabled) */
  'updateDisabled': { params: { group_id: string; user_id: string }; query: Record<never, never>; body: { disabled: boolean }; answer: undefined }
  /** (PUT /console/groups/{group_id}/sign-in-rules) */
  'updateSignInRules': { params: { group_id: string }; query: Record<never, never>; body: { second_factor?: "required" | "optional"; session_hours?: number | null; session_idle_minutes?: number | null }; answer: undefined }
  /** (POST /console/sign-in/passkey) */
  'verifyWithPasskey': { params: Record<never, never>; query: Record<never, never>; body: { credential: { id: string; rawId: string; type: "public-key"; clientExtensionResults: Record<never, never>; response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string } } }; answer: { id: string } }
}
