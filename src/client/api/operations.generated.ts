// Made by tools/generate-client.ts.
export type ActivateProjectV1Response = Record<never, never>
export type AffectedPackagesResult = { result: { issuesData: GraphIssuesData; affectedPkgs: Record<string, { pkg: { name: string; version: string }; issues: Record<string, { issueId: string; fixInfo: GraphFixInfo }> }> }; meta: { org: string; orgId: string; isPublic: boolean; isLicensesEnabled: boolean; licensesPolicy: AppliedLicensePolicy | null; policy: string }; coverage: Coverage }
export type AffectedVersions = { vulnerable: (string)[]; hashesRange?: (string)[]; vulnerableHashes?: (string)[] }
export type AggregatedIssue = { id: string; issueType: "vuln" | "license"; pkgName: string; pkgVersions: (string)[]; issueData: IssueData; introducedThrough?: ({ kind: "dependency"; data: { name: string; version: string }; isIgnored: boolean })[]; isPatched: boolean; isIgnored: boolean; ignoreReasons?: (IgnoreReason)[]; pathIgnores?: (IgnoreReason)[]; fixInfo: IssueFixInfo; assignee?: IssueAssignee; dueOn?: string; priority: { score: number; factors: ({ name: string; description: string })[] }; links: { paths: string } }
export type AggregatedIssues = { issues: (AggregatedIssue)[]; total?: number; counts?: { critical: number; high: number; medium: number; low: number }; links?: V1PageLinks }
export type AnyTarget = Target | TargetBeforeRenaming
export type AnyTargetDocument = { jsonapi: JsonApi; data: AnyTarget; links: SelfLink }
export type ApiKey = { id: string; type: "api_key"; attributes: ApiKeyAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type ApiKeyAttributes = { name: string; hint: string; created_at: string; last_used_at?: string; expires_at?: string; allowed_networks?: (string)[]; api_key?: string }
export type ApiKeyDocument = { jsonapi: JsonApi; data: ApiKey; links: SelfLink }
export type ApiKeyList = { jsonapi: JsonApi; data: (ApiKey)[]; links: PageLinks; meta?: Record<string, unknown> }
export type App = { id: string; type: "app"; attributes: AppAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type AppAttributes = { name: string; context: "tenant" | "user"; grant_type: "authorization_code" | "client_credentials"; is_confidential: boolean; is_public: boolean; scopes: (string)[]; access_token_ttl_seconds: number; org_public_id: string; client_secret?: string; client_id?: string; redirect_uris?: (string)[] }
export type AppBot = { id: string; type: "app_bot"; attributes: AppBotAttributes; relationships: AppBotRelationships }
export type AppBotAttributes = Record<never, never>
export type AppBotList = { jsonapi: JsonApi; data: (AppBot)[]; links: PageLinks; meta?: Record<string, unknown> }
export type AppBotRelationships = { app: { data: AppSummary } }
export type AppDocument = { jsonapi: JsonApi; data: App; links: SelfLink }
export type AppInstall = { id: string; type: "app_install"; attributes: AppInstallAttributes; relationships: AppInstallRelationships }
export type AppInstallAttributes = { client_id?: string; client_secret?: string; installed_at: string }
export type AppInstallDocument = { jsonapi: JsonApi; data: AppInstall; links: SelfLink }
export type AppInstallList = { jsonapi: JsonApi; data: (AppInstall)[]; links: PageLinks; meta?: Record<string, unknown> }
export type AppInstallRelationships = { app: { data: AppSummary } }
export type AppList = { jsonapi: JsonApi; data: (App)[]; links: PageLinks; meta?: Record<string, unknown> }
export type AppSecrets = { data: AppSecretsData }
export type AppSecretsData = { type: "app"; attributes: SecretsAttributes }
export type AppSession = { id: string; type: "app_session"; attributes: AppSessionAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type AppSessionAttributes = { created_at: string }
export type AppSessionList = { jsonapi: JsonApi; data: (AppSession)[]; links: PageLinks; meta?: Record<string, unknown> }
export type AppSummary = { id: string; type: "app"; attributes: AppSummaryAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type AppSummaryAttributes = { client_id: string; context: "tenant" | "user"; name: string; scopes: (string)[] }
export type AppSummaryList = { jsonapi: JsonApi; data: (AppSummary)[]; links: PageLinks; meta?: Record<string, unknown> }
export type AppliedLicensePolicy = { severities: Record<string, string>; orgLicenseRules: Record<string, { licenseType: string; severity: string; instructions: string }>; unlistedSeverity: string; unknownSeverity: string }
export type Archive = { id: string; type: "integration_archive"; attributes: ArchiveAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type ArchiveAttributes = { name: string; size_bytes: number; digest: string; created_at: string }
export type ArchiveDocument = { jsonapi: JsonApi; data: Archive; links: SelfLink }
export type ArchiveList = { jsonapi: JsonApi; data: (Archive)[]; links: PageLinks; meta?: Record<string, unknown> }
export type AuditEvent = { id: string; type: "audit_event"; attributes: AuditEventAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type AuditEventAttributes = { at: string; action: string; actor: { kind: string; id?: string; name: string; credential_id?: string }; target: { kind: string; id: string; name?: string }; sentence: (AuditSentencePart)[]; before?: Record<string, unknown>; after?: Record<string, unknown>; request_id?: string; address?: string; org_id?: string; group_id?: string }
export type AuditEventList = { jsonapi: JsonApi; data: (AuditEvent)[]; links: PageLinks; meta?: Record<string, unknown> }
export type AuditSentencePart = { text: string; kind?: string; id?: string }
export type AuthorizationServerMetadata = { issuer: string; authorization_endpoint: string; token_endpoint: string; jwks_uri: string; scopes_supported: (string)[]; response_types_supported: (string)[]; response_modes_supported: (string)[]; grant_types_supported: (string)[]; token_endpoint_auth_methods_supported: (string)[]; token_endpoint_auth_signing_alg_values_supported: (string)[]; service_documentation: string; revocation_endpoint: string; revocation_endpoint_auth_methods_supported: (string)[]; revocation_endpoint_auth_signing_alg_values_supported: (string)[]; introspection_endpoint: string; introspection_endpoint_auth_methods_supported: (string)[]; introspection_endpoint_auth_signing_alg_values_supported: (string)[]; code_challenge_methods_supported: (string)[]; authorization_response_iss_parameter_supported: boolean }
export type BillOfMaterials = Record<never, never>
export type ChangedApp = { data: ChangedAppData }
export type ChangedAppAttributes = { name?: string; redirect_uris?: (string)[]; access_token_ttl_seconds?: number }
export type ChangedAppData = { id?: string; type: "app"; attributes: ChangedAppAttributes }
export type ChangedIntegration = { data: ChangedIntegrationData }
export type ChangedIntegrationAttributes = { name?: string; base_url?: string | null; credentials?: SentCredentials | null }
export type ChangedIntegrationData = { id?: string; type: "integration"; attributes: ChangedIntegrationAttributes }
export type ChangedIssueComment = { data: ChangedIssueCommentData }
export type ChangedIssueCommentAttributes = { body: string }
export type ChangedIssueCommentData = { id?: string; type: "issue_comment"; attributes: ChangedIssueCommentAttributes }
export type ChangedIssueTriage = { data: ChangedIssueTriageData }
export type ChangedIssueTriageAttributes = { assignee_id?: string | null; due_on?: string | null }
export type ChangedIssueTriageData = { id?: string; type: "issue_triage"; attributes: ChangedIssueTriageAttributes }
export type ChangedLicensePolicy = { data: ChangedLicensePolicyData }
export type ChangedLicensePolicyAttributes = { rules?: (LicenseRule)[]; unlisted_severity?: "none" | "low" | "medium" | "high" | "critical"; unknown_severity?: "none" | "low" | "medium" | "high" | "critical" }
export type ChangedLicensePolicyData = { id?: string; type: "license_policy"; attributes: ChangedLicensePolicyAttributes }
export type ChangedNotifications = Record<string, { enabled?: boolean; issueSeverity?: "all" | "high"; issueType?: "all" | "vuln" | "license" | "none" }>
export type ChangedOrg = { data: ChangedOrgData }
export type ChangedOrgAttributes = { name: string }
export type ChangedOrgData = { id?: string; type: "org"; attributes: ChangedOrgAttributes }
export type ChangedPolicy = { data: ChangedPolicyData }
export type ChangedPolicyAttributes = { name?: string; action_type?: "ignore" | "severity"; action?: { data: { ignore_type?: "not-vulnerable" | "wont-fix" | "temporary-ignore"; severity?: "low" | "medium" | "high" | "critical"; reason: string; expires?: string } }; conditions_group?: PolicyConditions }
export type ChangedPolicyData = { id?: string; type: "policy"; attributes: ChangedPolicyAttributes }
export type ChangedProject = { data: ChangedProjectData }
export type ChangedProjectAttributes = { business_criticality?: ("critical" | "high" | "medium" | "low")[]; environment?: ("frontend" | "backend" | "internal" | "external" | "mobile" | "saas" | "onprem" | "hosted" | "distributed")[]; lifecycle?: ("production" | "development" | "sandbox")[]; tags?: (ProjectTag)[]; test_frequency?: "daily" | "weekly" | "never" }
export type ChangedProjectData = { id?: string; type: "project"; attributes?: ChangedProjectAttributes; relationships?: ChangedProjectRelationships }
export type ChangedProjectRelationships = { owner?: { data: { type: "user"; id: string | null } } }
export type ChangedRole = { data: ChangedRoleData }
export type ChangedRoleAttributes = { name?: string; description?: string; permissions?: Permissions }
export type ChangedRoleData = { id?: string; type: "role"; attributes: ChangedRoleAttributes }
export type ChangedSlaPolicy = { data: ChangedSlaPolicyData }
export type ChangedSlaPolicyAttributes = { critical_days?: number | null; high_days?: number | null; medium_days?: number | null; low_days?: number | null; exploited_days?: number | null }
export type ChangedSlaPolicyData = { id?: string; type: "sla_policy"; attributes: ChangedSlaPolicyAttributes }
export type ChangedUser = { data: ChangedUserData }
export type ChangedUserAttributes = { name?: string; username?: string; password?: string }
export type ChangedUserData = { id?: string; type: "user"; attributes: ChangedUserAttributes }
export type ChangedV1Project = { owner?: { id: string | null } | null; branch?: string }
export type ChangedWebhook = { data: ChangedWebhookData }
export type ChangedWebhookAttributes = { url?: string; events?: WebhookEvents; description?: string; is_active?: boolean }
export type ChangedWebhookData = { id?: string; type: "webhook"; attributes: ChangedWebhookAttributes }
export type ClientMonitored = { ok: boolean; id: string; uri: string; org: string; projectName: string; path: string; isMonitored: boolean; trialStarted: boolean; licensesPolicy: null }
export type ClientMonitoring = { meta?: { org?: string | null; name?: string | null; projectName?: string | null }; depGraphJSON: DepGraph; policy?: string | null; target?: { remoteUrl?: string | null; branch?: string | null; name?: string | null } | null; targetFile?: string | null; targetFileRelativePath?: string | null; targetReference?: string | null; tags?: (ProjectTag)[] | null; projectAttributes?: { criticality?: ("critical" | "high" | "medium" | "low")[] | null; environment?: ("frontend" | "backend" | "internal" | "external" | "mobile" | "saas" | "onprem" | "hosted" | "distributed")[] | null; lifecycle?: ("production" | "development" | "sandbox")[] | null } | null }
export type CloneIntegrationV1Request = { destinationOrgPublicId: string }
export type CloneIntegrationV1Response = { newIntegrationId: string }
export type ConnectionTest = { id: string; type: "integration_test"; attributes: ConnectionTestAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type ConnectionTestAttributes = { ok: boolean; message: string; code?: string; reference?: string | null; revision?: string | null; is_private?: boolean }
export type ConnectionTestDocument = { jsonapi: JsonApi; data: ConnectionTest; links: SelfLink }
export type Coverage = { complete: boolean; declaresNone?: true; filesRead: (string)[]; locked: boolean; dependencies: { found: number; resolved: number; unresolved: number }; unresolved: (UnresolvedDependency)[]; excluded: ({ reason: string; packages: number })[]; boundsMet: (string)[]; policyFile?: { path: string; rules: number; notes: (string)[] }; severityThreshold?: string; licenses: { known: number; unknown: number; unknownPackages: (string)[]; registryAsked: boolean }; registryAnswers: { stale: number; oldestStaleAt: string | null }; advisories: { digest: string; builtAt: string; newestAdvisory: string; records: number; source: string; starterSet: boolean; knownExploited: number; exploitSources?: ({ source: string; kind?: "kev" | "epss"; released?: string; fetchedAt?: string; entries: number; failure?: string })[] }; notImported?: (NotImportedVulnerability)[] }
export type CreateAppDeprecatedRequest = DeprecatedNewAppAttributes | WrappedNewApp
export type CreateGroupPolicyResponse = { jsonapi: JsonApi; meta: { preview: PolicyPreview } }
export type CreateJiraIssueV1Request = { fields?: unknown }
export type CreateJiraIssueV1Response = Record<never, never>
export type CreateOrgPolicyResponse = { jsonapi: JsonApi; meta: { preview: PolicyPreview } }
export type CreatedInstall = { id: string; type: "app_install"; attributes: CreatedInstallAttributes; relationships: CreatedInstallRelationships }
export type CreatedInstallAttributes = { client_id: string; client_secret: string }
export type CreatedInstallDocument = { jsonapi: JsonApi; data: CreatedInstall; links: SelfLink }
export type CreatedInstallRelationships = { app: { data: { id: string; type: "app" } } }
export type Credential = { id: string; type: "credential"; attributes: CredentialAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type CredentialAttributes = { kind: "api_key" | "client_secret"; hint: string; state: "active" | "retiring" | "ended"; created_at: string; last_used_at?: string; replaced_at?: string; retires_at?: string; used_since_replaced?: boolean; expires_at?: string; allowed_networks?: (string)[] }
export type CredentialCreatedEvent = { id: string; type: "credential.created"; timestamp: string; org_id: string; data: CredentialCreatedEventData }
export type CredentialCreatedEventData = { owner: CredentialOwner; credential: EventCredential }
export type CredentialDeletedEvent = { id: string; type: "credential.deleted"; timestamp: string; org_id: string; data: CredentialDeletedEventData }
export type CredentialDeletedEventData = { owner: CredentialOwner; credentials: (EventCredential)[] }
export type CredentialDocument = { jsonapi: JsonApi; data: Credential; links: SelfLink }
export type CredentialExpiredEvent = { id: string; type: "credential.expired"; timestamp: string; org_id: string; data: CredentialExpiredEventData }
export type CredentialExpiredEventData = { owner: CredentialOwner; credential: EventCredential }
export type CredentialExpiringEvent = { id: string; type: "credential.expiring"; timestamp: string; org_id: string; data: CredentialExpiringEventData }
export type CredentialExpiringEventData = { owner: CredentialOwner; credential: EventCredential }
export type CredentialExposedEvent = { id: string; type: "credential.exposed"; timestamp: string; org_id: string; data: CredentialExposedEventData }
export type CredentialExposedEventData = { owner: CredentialOwner; credential: { id: string | null; kind: "api_key" | "client_secret" | "access_token" | "refresh_token" | "authorization_code" }; report_id: string; reporter: string | null; found_at: string | null }
export type CredentialList = { jsonapi: JsonApi; data: (Credential)[]; links: PageLinks; meta?: Record<string, unknown> }
export type CredentialOwner = { kind: "service_account" | "app" | "app_install"; id: string; name: string }
export type CredentialReusedEvent = { id: string; type: "credential.reused"; timestamp: string; org_id: string; data: CredentialReusedEventData }
export type CredentialReusedEventData = { app: { id: string; name: string }; session_id: string; user_id: string }
export type CredentialRotatedEvent = { id: string; type: "credential.rotated"; timestamp: string; org_id: string; data: CredentialRotatedEventData }
export type CredentialRotatedEventData = { owner: CredentialOwner; credential: EventCredential; replaced: (EventCredential)[] }
export type CycloneDxBom = Record<never, never>
export type DeactivateProjectV1Response = Record<never, never>
export type DeclarationPlace = { file: string; line: number }
export type DeleteIntegrationCredentialsV1Response = Record<never, never>
export type DeleteIntegrationV1Response = Record<never, never>
export type DeleteProjectV1Response = Record<never, never>
export type DeleteProjectsV1Request = { projects: (string)[] }
export type DeleteProjectsV1Response = { projects: (string)[] }
export type Delivery = { id: string; type: "webhook_delivery"; attributes: DeliveryAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type DeliveryAttributes = { event_id: string; event_type: string; event_at: string; state: "waiting" | "delivered" | "failed"; attempts: number; attempted_at?: string; next_attempt_at?: string; last_status?: number; last_error?: string; answer?: string; created_at: string }
export type DeliveryDocument = { jsonapi: JsonApi; data: Delivery; links: SelfLink }
export type DeliveryList = { jsonapi: JsonApi; data: (Delivery)[]; links: PageLinks; meta?: Record<string, unknown> }
export type DeliveryWithPayload = { id: string; type: "webhook_delivery"; attributes: DeliveryWithPayloadAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type DeliveryWithPayloadAttributes = { event_id: string; event_type: string; event_at: string; state: "waiting" | "delivered" | "failed"; attempts: number; attempted_at?: string; next_attempt_at?: string; last_status?: number; last_error?: string; answer?: string; created_at: string; payload: Record<string, unknown> }
export type DeliveryWithPayloadDocument = { jsonapi: JsonApi; data: DeliveryWithPayload; links: SelfLink }
export type DepGraph = { schemaVersion: string; pkgManager: { name: string }; pkgs: ({ id: string; info: { name: string; version?: string | null } })[]; graph: { rootNodeId: string; nodes: ({ nodeId: string; pkgId: string; deps: ({ nodeId: string })[] })[] } }
export type DepGraphRequest = { depGraph: DepGraph; policy?: string | null }
export type DepGraphResult = { ok: boolean; packageManager: string; issuesData: GraphIssuesData; issues: ({ pkgName: string; pkgVersion: string; issueId: string; fixInfo: GraphFixInfo })[]; org: { name: string; id: string }; licensesPolicy: AppliedLicensePolicy | null; coverage: Coverage }
export type DependencySearch = { filters?: { languages?: (string)[]; projects?: (string)[]; dependencies?: (string)[]; licenses?: (string)[]; severity?: ("critical" | "high" | "medium" | "low" | "none")[]; depStatus?: string } }
export type DeprecatedApp = { id: string; type: "app"; attributes: DeprecatedAppAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type DeprecatedAppAttributes = { name: string; context: "tenant" | "user"; grant_type: "authorization_code" | "client_credentials"; is_confidential: boolean; is_public: boolean; scopes: (string)[]; access_token_ttl_seconds: number; org_public_id: string; client_secret?: string; client_id: string; redirect_uris: (string)[] }
export type DeprecatedAppDocument = { jsonapi: JsonApi; data: DeprecatedApp; links: SelfLink }
export type DeprecatedAppList = { jsonapi: JsonApi; data: (DeprecatedApp)[]; links: PageLinks; meta?: Record<string, unknown> }
export type DeprecatedNewAppAttributes = { name: string; redirect_uris: (string)[]; scopes: ("org.read" | "org.edit" | "org.report.read" | "org.project.read" | "org.project.create" | "org.project.edit" | "org.project.delete" | "org.project.status" | "org.project.test" | "org.project.ignore.read" | "org.project.ignore.create" | "org.project.ignore.edit" | "org.project.ignore.delete" | "org.project.attributes.edit" | "org.project.tag.edit" | "org.project.pr.create" | "org.project.pr.skip" | "org.project.jira.issue.read" | "org.project.jira.issue.create" | "org.project.snapshot.read" | "org.package.test" | "org.container_image.read" | "org.collection.read" | "org.collection.create" | "org.collection.edit" | "org.collection.delete" | "apps:beta")[]; access_token_ttl_seconds?: number; context?: "tenant" | "user" }
export type ErrorDocument = { jsonapi: JsonApi; errors: ({ id: string; status: string; code: string; title: string; detail: string; source?: { pointer?: string; parameter?: string; header?: string }; links?: { about: string } })[] }
export type EventCredential = { id: string; kind: "api_key" | "client_secret"; ends_at: string | null }
export type ExportOrgResponse = string
export type ExportTargetResponse = string
export type ExposureReport = { id: string; type: "exposure_report"; attributes: ExposureReportAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type ExposureReportAttributes = { received: number }
export type ExposureReportDocument = { jsonapi: JsonApi; data: ExposureReport; links: SelfLink }
export type GetEntitlementV1Response = boolean
export type GetFeatureFlagV1Response = { ok: boolean; userMessage?: string }
export type GetHealthResponse = { status: "ok"; version: string }
export type GetMetricsResponse = string
export type GetOrgProjectSbomResponse = string
export type GetOrgSettingsV1Response = { requestAccess: { enabled: boolean }; policyFiles: "allow" | "require-reason" | "forbid" }
export type GetOrgsTargetsResponse = { jsonapi: JsonApi; data: (AnyTarget)[]; links: PageLinks; meta?: { count: number } }
export type GetSigningKeysResponse = { keys: (Record<string, unknown>)[] }
export type GraphDocument = { depGraph: DepGraph }
export type GraphFixInfo = { upgradePaths: ({ path: ({ name: string; version: string; newVersion?: string; isDropped?: boolean })[] })[]; isPatchable: boolean; isPinnable: boolean; nearestFixedInVersion?: string }
export type GraphIssuesData = Record<string, GraphVulnerability | GraphLicenseIssue>
export type GraphLicenseIssue = { id: string; url: string; title: string; type: "license"; severity: string; semver: { vulnerable: (string)[] }; language: string; packageManager: string; license: string | null; instructions: (string)[]; packageName: string; moduleName: string; mavenModuleName?: { groupId: string; artifactId: string } }
export type GraphVulnerability = { id: string; url: string; title: string; description: string; functions: (VulnerableFunction)[]; severity: "critical" | "high" | "medium" | "low"; severityBasis: "cvss" | "database" | "malicious" | "assumed"; severityChange?: { originalSeverity: "critical" | "high" | "medium" | "low"; policy: { id: string; name: string } }; exploitMaturity: string; isExploited: boolean; exploitedSince?: string; exploitDue?: string; epssScore?: number; epssPercentile?: number; language: string; packageManager: string; semver: AffectedVersions; publicationTime: string; disclosureTime: string; identifiers: VulnerabilityIdentifiers; credit: (string)[]; CVSSv3: string; cvssScore: number; cvssScoreBasis: "vector" | "severity"; patches: (unknown)[]; fixedIn: (string)[]; references: (string)[]; packageName: string; moduleName: string; mavenModuleName?: { groupId: string; artifactId: string } }
export type Group = { id: string; type: "group"; attributes: GroupAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type GroupAttributes = { name: string; slug: string; created_at: string; updated_at: string }
export type GroupChangedMembership = { data: GroupChangedMembershipData }
export type GroupChangedMembershipAttributes = Record<never, never>
export type GroupChangedMembershipData = { id?: string; type: "group_membership"; attributes?: GroupChangedMembershipAttributes; relationships: GroupChangedMembershipRelationships }
export type GroupChangedMembershipRelationships = { role: { data: { id: string; type?: "group_role" | "role" } } }
export type GroupDocument = { jsonapi: JsonApi; data: Group; links: SelfLink }
export type GroupList = { jsonapi: JsonApi; data: (Group)[]; links: PageLinks; meta?: Record<string, unknown> }
export type GroupMembership = { id: string; type: "group_membership"; attributes: GroupMembershipAttributes; relationships: GroupMembershipRelationships }
export type GroupMembershipAttributes = { created_at: string }
export type GroupMembershipDocument = { jsonapi: JsonApi; data: GroupMembership; links: SelfLink }
export type GroupMembershipList = { jsonapi: JsonApi; data: (GroupMembership)[]; links: PageLinks; meta?: Record<string, unknown> }
export type GroupMembershipRelationships = { group: { data: { id: string; type: "group"; attributes: { name: string } } }; role: { data: { id: string; type: "group_role"; attributes: { name: string } } }; user: { data: { id: string; type: "user"; attributes: { name: string; username: string; email: string } } } }
export type GroupNewMembership = { data: GroupNewMembershipData }
export type GroupNewMembershipData = { type: "group_membership"; relationships: GroupNewMembershipRelationships }
export type GroupNewMembershipRelationships = { user: { data: { id: string; type?: "user" } }; role: { data: { id: string; type?: "group_role" | "role" } }; group?: { data: { id: string; type?: "group" } } }
export type GroupReference = { id: string; name: string }
export type HealthCheck = { ok: boolean; detail?: string }
export type Identity = { id: string; type: "identity"; attributes: IdentityAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type IdentityAttributes = { provider: string; subject: string; created_at: string; last_sign_in_at: string }
export type IdentityList = { jsonapi: JsonApi; data: (Identity)[]; links: PageLinks; meta?: Record<string, unknown> }
export type Ignore = { id: string; type: "ignore"; attributes: IgnoreAttributes; relationships: IgnoreRelationships; links?: Record<string, unknown> }
export type IgnoreAttributes = { issue_id: string; current_issue_id: string; path: string; reason: string; reason_type: "not-vulnerable" | "wont-fix" | "temporary-ignore"; disregard_if_fixable: boolean; expires_at: string | null; stale_because: "expired" | "issue-gone" | "path-gone" | "fixable" | null; source: "user" | "repository"; ignored_by: { id: string; name: string; email: string }; created_at: string; updated_at: string }
export type IgnoreEntries = (IgnoreEntry)[]
export type IgnoreEntry = Record<string, { reason: string; reasonType: "not-vulnerable" | "wont-fix" | "temporary-ignore"; ignoredBy: { id: string; name: string; email: string }; disregardIfFixable: boolean; expires?: string; created: string }>
export type IgnorePolicy = { id: string; type: "policy"; attributes: IgnorePolicyAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type IgnorePolicyAttributes = { name: string; action_type: "ignore" | "severity"; action: { data: { ignore_type?: "not-vulnerable" | "wont-fix" | "temporary-ignore"; severity?: "low" | "medium" | "high" | "critical"; reason: string; expires?: string } }; conditions_group: PolicyConditions; source: "user" | "vex"; scope: "org" | "group"; created_by: { id: string; name: string }; created_at: string; updated_at: string; deleted_at?: string; restorable_until?: string; evaluation: { state: "running" | "done" | "canceled"; done: number; total: number }; hides: { issues: number; projects: number }; changes?: { issues: number; projects: number } }
export type IgnorePolicyDocument = { jsonapi: JsonApi; data: IgnorePolicy; links: SelfLink }
export type IgnorePolicyList = { jsonapi: JsonApi; data: (IgnorePolicy)[]; links: PageLinks; meta?: Record<string, unknown> }
export type IgnoreReason = { reason: string; expires?: string; source: "api" | "cli"; path: string; reasonType: string; ignoredBy: { id: string; name: string }; policyId?: string }
export type IgnoreRelationships = { project: { data: { id: string; type: "project"; attributes: { name: string } } } }
export type IgnoredIssue = { id: string; title: string; severity: string; package: string; version: string; path: string; allPaths: boolean; reason: string; expires: string | null; policy?: { id: string; name: string } }
export type IgnoresByIssue = Record<string, IgnoreEntries>
export type Import = { id: string; type: "import"; attributes: ImportAttributes; relationships: ImportRelationships; links?: Record<string, unknown> }
export type ImportAttributes = { name: string; state: "pending" | "complete" | "failed" | "aborted"; cause: "request" | "schedule"; target: Record<string, unknown>; files: (string)[] | null; exclusion_globs: string | null; reference: string | null; revision: string | null; message: string | null; is_truncated: boolean; left_out?: ({ path: string; package_manager: string | null; reason: "submodule" | "package_manager" | "limit" | "policy_file" | "out_of_scope" | "installed_packages" })[]; manifests: { waiting: number; done: number; failed: number }; requested_by: { id: string | null; name: string }; created_at: string; started_at: string | null; listed_at: string | null; ended_at: string | null }
export type ImportDocument = { jsonapi: JsonApi; data: Import; links: SelfLink }
export type ImportFinishedEvent = { id: string; type: "import.finished"; timestamp: string; org_id: string; data: ImportFinishedEventData }
export type ImportFinishedEventData = { import: { id: string; integration_id: string; name: string; state: "complete" | "failed" | "aborted"; cause: "request" | "schedule"; message: string | null }; manifests: { done: number; failed: number } }
export type ImportManifest = { id: string; type: "import_manifest"; attributes: ImportManifestAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type ImportManifestAttributes = { path: string; package_manager: string | null; state: "waiting" | "done" | "failed"; project_id: string | null; message: string | null; ended_at: string | null }
export type ImportManifestList = { jsonapi: JsonApi; data: (ImportManifest)[]; links: PageLinks; meta?: Record<string, unknown> }
export type ImportRelationships = { integration: { data: { type: "integration"; id: string } }; target?: { data: { type: "target"; id: string } } }
export type ImportTargetV1Response = Record<never, never>
export type InstallSecrets = { data: InstallSecretsData }
export type InstallSecretsData = { type: "app"; attributes: SecretsAttributes }
export type Integration = { id: string; type: "integration"; attributes: IntegrationAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type IntegrationAttributes = { kind: "github" | "github-enterprise" | "gitlab" | "bitbucket-cloud" | "bitbucket-server" | "azure-repos" | "git" | "local" | "archive"; name: string; base_url: string | null; has_credentials: boolean; created_at: string; updated_at: string }
export type IntegrationDocument = { jsonapi: JsonApi; data: Integration; links: SelfLink }
export type IntegrationList = { jsonapi: JsonApi; data: (Integration)[]; links: PageLinks; meta?: Record<string, unknown> }
export type IntrospectTokenRequest = { token: string; token_type_hint?: string; client_id?: string; client_secret?: string; client_assertion_type?: string; client_assertion?: string; client_address?: string }
export type Introspection = { active: boolean; scope?: string; client_id?: string; username?: string; token_type?: "bearer"; exp?: number; iat?: number; sub?: string; aud?: (string)[]; iss?: string; jti?: string; bot_id?: string; allowed_networks?: (string)[] }
export type InviteUserV1Response = Record<never, never>
export type Issue = { id: string; type: "issue"; attributes: IssueAttributes; relationships: IssueRelationships; links?: Record<string, unknown> }
export type IssueAssignee = { id: string; name: string; is_member: boolean }
export type IssueAttributes = { key: string; title: string; description?: string; type: "package_vulnerability" | "license"; status: "open"; ignored: boolean; ignores?: ({ path: string; reason: string; reason_type: string; expires: string | null; ignored_by: { id: string; name: string }; policy_id?: string })[]; effective_severity_level: "critical" | "high" | "medium" | "low"; severity_change?: { original_severity_level: "critical" | "high" | "medium" | "low"; policy_id: string }; created_at: string | null; updated_at: string | null; assignee?: IssueAssignee; due_on?: string; problems: (IssueProblem)[]; classes: (IssueProblem)[]; coordinates: (IssueCoordinate)[]; risk: { score: { value: number; model: string }; factors: (RiskFactor)[] }; is_exploited?: boolean; exploited_since?: string; exploit_due?: string; has_exploit?: boolean; epss_score?: number; epss_percentile?: number }
export type IssueComment = { id: string; type: "issue_comment"; attributes: IssueCommentAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type IssueCommentAttributes = { issue_id: string; scope: "project" | "repository"; body: string; author: GroupReference; created_at: string; updated_at: string }
export type IssueCommentDocument = { jsonapi: JsonApi; data: IssueComment; links: SelfLink }
export type IssueCommentList = { jsonapi: JsonApi; data: (IssueComment)[]; links: PageLinks; meta?: Record<string, unknown> }
export type IssueCoordinate = { is_upgradeable?: boolean; is_pinnable?: boolean; is_patchable?: boolean; is_fixable_snyk?: boolean; is_fixable_manually?: boolean; is_fixable_upstream: boolean; remedies: ({ type: "indeterminate"; description: string; details: { upgrade_package: string } })[]; representations: ({ dependency: { package_name: string; package_version: string } })[] }
export type IssueData = { id: string; title: string; severity: "critical" | "high" | "medium" | "low"; originalSeverity: "critical" | "high" | "medium" | "low"; url: string; description?: string; identifiers?: VulnerabilityIdentifiers; credit?: (string)[]; exploitMaturity: string; semver?: { vulnerable: (string)[]; unaffected?: string }; publicationTime?: string; disclosureTime?: string; CVSSv3?: string; cvssScore?: number; cvssScoreBasis?: "vector" | "severity"; isExploited?: boolean; exploitedSince?: string; exploitDue?: string; epssScore?: number; epssPercentile?: number; language: string; patches: (unknown)[]; nearestFixedInVersion: string; path: string; violatedPolicyPublicId: string; isMaliciousPackage: boolean; instructions?: (string)[] }
export type IssueDocument = { jsonapi: JsonApi; data: Issue; links: SelfLink }
export type IssueFixInfo = { isUpgradable: boolean; isPinnable: boolean; isPatchable: boolean; isFixable: boolean; isPartiallyFixable: boolean; nearestFixedInVersion: string; recommendedVersion?: string; fixedIn: (string)[]; advice: string; pinTo?: string }
export type IssueGroup = { id: string; type: "issue_group"; attributes: IssueGroupAttributes }
export type IssueGroupAttributes = { name: string; severity?: "critical" | "high" | "medium" | "low"; score?: number; is_exploited: boolean; exploited_since?: string; exploit_due?: string; has_exploit?: boolean; epss_score?: number; epss_percentile?: number; is_direct?: boolean; risk_score?: number; risk_factors?: (RiskFactor)[]; is_fixable: boolean; is_malicious?: boolean; fixed_in?: (string)[]; registry?: string; packages?: (string)[]; aliases?: (string)[]; vulnerabilities?: number; versions?: number; projects?: number; issues: number; ignored: number; counts?: Record<string, number>; known_since?: string }
export type IssueGroupList = { jsonapi: JsonApi; data: (IssueGroup)[]; links: PageLinks; meta?: Record<string, unknown> }
export type IssueList = { jsonapi: JsonApi; data: (Issue)[]; links: PageLinks; meta?: Record<string, unknown> }
export type IssueOverdueEvent = { id: string; type: "issue.overdue"; timestamp: string; org_id: string; data: IssueOverdueEventData }
export type IssueOverdueEventData = { issue: { id: string; title: string; severity: "low" | "medium" | "high" | "critical" }; due_on: string; due_by: "policy" | "user"; project_count: number; projects: ({ id: string; name: string; type: string; target_id: string; assignee: { id: string; name: string } | null })[] }
export type IssuePackage = { name: string; namespace?: string; type: string; url: string; version: string }
export type IssuePaths = { snapshotId: string; paths: (({ name: string; version: string; fixVersion?: string })[])[]; pathAdvice: (string)[]; pathIgnores: ((IgnoreReason)[])[]; total: number; links: V1PageLinks }
export type IssueProblem = { id: string; source: string; type: string }
export type IssueRelationships = { organization: { data: { id: string; type: "organization" }; links: RelatedLink }; scan_item: { data: { id: string; type: "project" }; links: RelatedLink } }
export type IssueSearch = { includeDescription?: boolean; includeIntroducedThrough?: boolean; filters?: { severities?: ("critical" | "high" | "medium" | "low")[]; exploitMaturity?: ("mature" | "proof-of-concept" | "no-known-exploit" | "no-data")[]; types?: ("vuln" | "license" | "configuration")[]; ignored?: boolean; patched?: boolean; priority?: { score?: { min?: number; max?: number } } } }
export type IssueTriage = { id: string; type: "issue_triage"; attributes: IssueTriageAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type IssueTriageAttributes = { issue_id: string; assignee: IssueAssignee | null; due_on: string | null; policy_due_on: string | null; is_overdue: boolean; own: { assignee_id: string | null; due_on: string | null }; comments: number; repository: { id: string; name: string }; is_editable: boolean }
export type IssueTriageDocument = { jsonapi: JsonApi; data: IssueTriage; links: SelfLink }
export type IssuesNewEvent = { id: string; type: "issues.new"; timestamp: string; org_id: string; data: IssuesNewEventData }
export type IssuesNewEventData = { cause: "advisories" | "import" | "monitor" | "retest"; projects: ({ id: string; name: string; type: string; target_id: string })[]; issue_count: number; issues: ({ id: string; type: "vulnerability" | "license"; title: string; severity: "low" | "medium" | "high" | "critical"; packages: ({ name: string; version: string })[] })[] }
export type JsonApi = { version: "1.0" }
export type LicenseIssue = { id: string; url: string; title: string; type: "license"; from: (string)[]; pathCount?: number; declaration?: DeclarationPlace; package: string; version: string; severity: "critical" | "high" | "medium" | "low"; language: string; packageManager: string; semver: { vulnerable: (string)[]; vulnerableHashes?: (string)[] }; license: string | null; declaredLicense: string | null; instructions: (string)[] }
export type LicenseRule = { license: string; severity: "none" | "low" | "medium" | "high" | "critical"; instructions?: string }
export type LicenseSearch = { filters?: { languages?: (string)[]; projects?: (string)[]; dependencies?: (string)[]; licenses?: (string)[]; severity?: ("critical" | "high" | "medium" | "low" | "none")[] } }
export type ListAggregatedIssuesOfSnapshotV1Request = IssueSearch | null
export type ListAggregatedIssuesV1Request = IssueSearch | null
export type ListDependenciesV1Request = DependencySearch | null
export type ListEntitlementsV1Response = { licenses: boolean; reports: boolean; fullVulnDB: boolean }
export type ListIgnoresResponse = { jsonapi: JsonApi; data: (Ignore)[]; links: PageLinks; meta?: { count: number } }
export type ListImportsResponse = { jsonapi: JsonApi; data: (Import)[]; links: PageLinks; meta?: { count: number } }
export type ListIssuesV1Request = IssueSearch | null
export type ListJiraIssuesV1Response = Record<never, never>
export type ListLicensesV1Request = LicenseSearch | null
export type ListNpmPackageVulnerabilitiesResponse = { ok: boolean; vulnerabilities: (Vulnerability)[] }
export type ListOrgProjectsResponse = { jsonapi: JsonApi; data: (ProjectOfRelease)[]; links: PageLinks; meta?: { count: number } }
export type ListProjectSnapshotsV1Request = SnapshotSearch | null
export type ListProjectsV1Request = V1ProjectSearch | null
export type ListVersionsResponse = (string)[]
export type ManageAppSecretsDeprecatedRequest = SecretsAttributes | AppSecrets
export type MarkedLicenseIssue = { id: string; url: string; title: string; type: "license"; from: (string)[]; pathCount?: number; declaration?: DeclarationPlace; package: string; version: string; severity: "critical" | "high" | "medium" | "low"; language: string; packageManager: string; semver: { vulnerable: (string)[]; vulnerableHashes?: (string)[] }; license: string | null; declaredLicense: string | null; instructions: (string)[]; isIgnored: boolean; isPatched: boolean; ignored?: (IgnoreReason)[]; priorityScore: number }
export type MarkedVulnerability = { id: string; url: string; title: string; type: "vuln"; description: string; functions: (VulnerableFunction)[]; from: (string)[]; pathCount?: number; declaration?: DeclarationPlace; package: string; version: string; severity: "critical" | "high" | "medium" | "low"; severityBasis: "cvss" | "database" | "malicious" | "assumed"; severityChange?: { originalSeverity: "critical" | "high" | "medium" | "low"; policy: { id: string; name: string } }; exploitMaturity: string; isExploited: boolean; exploitedSince?: string; exploitDue?: string; epssScore?: number; epssPercentile?: number; language: string; packageManager: string; semver: AffectedVersions; publicationTime: string; disclosureTime: string; isUpgradable: boolean; isPatchable: boolean; isPinnable: boolean; identifiers: VulnerabilityIdentifiers; credit: (string)[]; CVSSv3: string; CVSSv2?: string; CVSSv4?: string; cvssScore: number; cvssScoreBasis: "vector" | "severity"; patches: (unknown)[]; upgradePath: (string)[]; ownProjects?: number; upgradesWith?: (string)[]; pin?: Pin; fixedIn: (string)[]; nearestFixedInVersion?: string; references: (string)[]; isIgnored: boolean; isPatched: boolean; ignored?: (IgnoreReason)[]; priorityScore: number }
export type MayIgnoreLocallyV1Response = { result: { allowed: boolean } }
export type Me = { id: string; username: string; email: string; orgs: ({ id: string; name: string; group: GroupReference })[] }
export type Monitored = { ok: boolean; id: string; uri: string }
export type MonitoredGraph = { depGraph: DepGraph; meta?: unknown }
export type MoveProjectV1Request = { targetOrgId: string }
export type MoveProjectV1Response = { originOrg: string; destinationOrg: string; movedProject: string }
export type NewApiKey = { data: NewApiKeyData }
export type NewApiKeyAttributes = { name?: string; expires_at?: string; allowed_networks?: (string)[] }
export type NewApiKeyData = { type: "api_key"; attributes: NewApiKeyAttributes }
export type NewApp = { data: NewAppData }
export type NewAppAttributes = { name: string; redirect_uris?: (string)[]; scopes: ("org.read" | "org.edit" | "org.report.read" | "org.project.read" | "org.project.create" | "org.project.edit" | "org.project.delete" | "org.project.status" | "org.project.test" | "org.project.ignore.read" | "org.project.ignore.create" | "org.project.ignore.edit" | "org.project.ignore.delete" | "org.project.attributes.edit" | "org.project.tag.edit" | "org.project.pr.create" | "org.project.pr.skip" | "org.project.jira.issue.read" | "org.project.jira.issue.create" | "org.project.snapshot.read" | "org.package.test" | "org.container_image.read" | "org.collection.read" | "org.collection.create" | "org.collection.edit" | "org.collection.delete" | "apps:beta")[]; access_token_ttl_seconds?: number; context?: "tenant" | "user"; grant_type?: "authorization_code" | "client_credentials"; is_confidential?: boolean; expires_at?: string; allowed_networks?: (string)[] }
export type NewAppData = { type: "app"; attributes: NewAppAttributes }
export type NewConnectionTest = { data: NewConnectionTestData }
export type NewConnectionTestAttributes = { target?: Record<never, never> }
export type NewConnectionTestData = { type: "integration_test"; attributes: NewConnectionTestAttributes }
export type NewExposureReport = { data: NewExposureReportData }
export type NewExposureReportAttributes = { credentials: (string)[]; reporter?: string; found_at?: string }
export type NewExposureReportData = { type: "exposure_report"; attributes: NewExposureReportAttributes }
export type NewGroup = { data: NewGroupData }
export type NewGroupAttributes = { name: string }
export type NewGroupData = { type: "group"; attributes: NewGroupAttributes }
export type NewGroupServiceAccount = { data: NewGroupServiceAccountData }
export type NewGroupServiceAccountData = { type: "service_account"; attributes: NewServiceAccountAttributes }
export type NewIgnore = { ignorePath?: string; reason?: string; disregardIfFixable: boolean; expires?: string; reasonType: "not-vulnerable" | "wont-fix" | "temporary-ignore" }
export type NewInstall = { data: NewInstallData; relationships?: NewInstallRelationships }
export type NewInstallAttributes = { expires_at?: string; allowed_networks?: (string)[] }
export type NewInstallData = { type: "app_install"; attributes?: NewInstallAttributes; relationships?: NewInstallRelationships }
export type NewInstallRelationships = { app: { data: { id: string; type: "app" } } }
export type NewIntegration = { data: NewIntegrationData }
export type NewIntegrationAttributes = { kind: "github" | "github-enterprise" | "gitlab" | "bitbucket-cloud" | "bitbucket-server" | "azure-repos" | "git" | "local" | "archive" | "heroku" | "aws-lambda" | "cloud-foundry" | "pivotal" | "ibm-cloud" | "docker-hub" | "acr" | "ecr" | "artifactory-cr" | "nexus-cr" | "gcr" | "google-artifact-cr" | "harbor-cr" | "digitalocean-cr" | "quay-cr" | "gitlab-cr" | "github-cr" | "github-cloud-app" | "github-server-app"; name: string; base_url?: string | null; credentials?: SentCredentials }
export type NewIntegrationData = { type: "integration"; attributes: NewIntegrationAttributes }
export type NewIssueComment = { data: NewIssueCommentData }
export type NewIssueCommentAttributes = { body: string }
export type NewIssueCommentData = { type: "issue_comment"; attributes: NewIssueCommentAttributes }
export type NewOrgServiceAccount = { data: NewOrgServiceAccountData }
export type NewOrgServiceAccountData = { type?: "service_account"; attributes: NewServiceAccountAttributes }
export type NewPolicy = { data: NewPolicyData }
export type NewPolicyAttributes = { name: string; action_type: "ignore" | "severity"; action: { data: { ignore_type?: "not-vulnerable" | "wont-fix" | "temporary-ignore"; severity?: "low" | "medium" | "high" | "critical"; reason: string; expires?: string } }; conditions_group?: PolicyConditions; selection?: { query: { effective_severity_level?: ("critical" | "high" | "medium" | "low")[]; exploited?: boolean; fixable?: boolean; ignored?: boolean; registry?: "npm" | "PyPI" | "RubyGems" | "Maven" | "Go" | "crates.io" | "Packagist" | "NuGet" | "Pub" | "Hex" | "SwiftURL" | "CocoaPods" | "GitHub Actions" | "ConanCenter" | "vcpkg" | "Hackage" | "CRAN" | "Julia"; query?: string; created_after?: string; id?: string; package?: string; overdue?: true; assignee?: string } } }
export type NewPolicyData = { type: "policy"; attributes: NewPolicyAttributes }
export type NewRole = { data: NewRoleData }
export type NewRoleAttributes = { name: string; description?: string; permissions: Permissions }
export type NewRoleData = { type: "role"; attributes: NewRoleAttributes }
export type NewServiceAccountAttributes = { name: string; auth_type: "api_key" | "oauth_client_secret" | "oauth_private_key_jwt"; role_id: string; access_token_ttl_seconds?: number; jwks_url?: string; expires_at?: string; allowed_networks?: (string)[] }
export type NewUser = { data: NewUserData }
export type NewUserAttributes = { name: string; email: string; username?: string; password?: string }
export type NewUserData = { type: "user"; attributes: NewUserAttributes }
export type NewWebhook = { data: NewWebhookData }
export type NewWebhookAttributes = { url: string; events: WebhookEvents; description?: string; is_active?: boolean }
export type NewWebhookData = { type: "webhook"; attributes: NewWebhookAttributes }
export type NewWebhookSecret = { data: NewWebhookSecretData }
export type NewWebhookSecretAttributes = { grace_seconds?: number }
export type NewWebhookSecretData = { type: "webhook"; attributes: NewWebhookSecretAttributes }
export type NotImportedVulnerability = { id: string; url: string; title: string; severity: "critical" | "high" | "medium" | "low"; package: string; version: string; imports: (string)[]; fixedIn: (string)[] }
export type NotificationSetting = { enabled: boolean; inherited: boolean }
export type NotificationSettings = { 'new-issues-remediations': { enabled: boolean; issueSeverity: "all" | "high"; issueType: "all" | "vuln" | "license" | "none"; inherited: boolean }; 'project-imported': NotificationSetting; 'test-limit': NotificationSetting; 'weekly-report': NotificationSetting; 'request-updates': NotificationSetting; 'pending-requests': NotificationSetting }
export type OAuthError = { error: string; error_description: string; error_uri: string }
export type OldIssues = { ok: boolean; packageManager: string; dependencyCount: number; issues: { vulnerabilities: (MarkedVulnerability)[]; licenses: (MarkedLicenseIssue)[] } }
export type OpenApiDocument = { openapi: string; info: Record<never, never>; paths: Record<never, never> }
export type Org = { id: string; type: "org"; attributes: OrgAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type OrgAttributes = { name: string; slug: string; is_personal: boolean; group_id: string; created_at: string; updated_at: string }
export type OrgChangedMembership = { data: OrgChangedMembershipData }
export type OrgChangedMembershipAttributes = Record<never, never>
export type OrgChangedMembershipData = { id?: string; type: "org_membership"; attributes?: OrgChangedMembershipAttributes; relationships: OrgChangedMembershipRelationships }
export type OrgChangedMembershipRelationships = { role: { data: { id: string; type?: "org_role" | "role" } } }
export type OrgCreatedMembership = { jsonapi: JsonApi; data: OrgMembership; links: SelfLink; id: string; type: "org_membership" }
export type OrgDocument = { jsonapi: JsonApi; data: Org; links: SelfLink }
export type OrgList = { jsonapi: JsonApi; data: (Org)[]; links: PageLinks; meta?: Record<string, unknown> }
export type OrgMembership = { id: string; type: "org_membership"; attributes: OrgMembershipAttributes; relationships: OrgMembershipRelationships }
export type OrgMembershipAttributes = { created_at: string }
export type OrgMembershipDocument = { jsonapi: JsonApi; data: OrgMembership; links: SelfLink }
export type OrgMembershipList = { jsonapi: JsonApi; data: (OrgMembership)[]; links: PageLinks; meta?: Record<string, unknown> }
export type OrgMembershipRelationships = { org: { data: { id: string; type: "org"; attributes: { name: string } } }; role: { data: { id: string; type: "org_role"; attributes: { name: string } } }; user: { data: { id: string; type: "user"; attributes: { name: string; username: string; email: string } } } }
export type OrgNewMembership = { data: OrgNewMembershipData }
export type OrgNewMembershipData = { type: "org_membership"; relationships: OrgNewMembershipRelationships }
export type OrgNewMembershipRelationships = { user: { data: { id: string; type?: "user" } }; role: { data: { id: string; type?: "org_role" | "role" } }; org?: { data: { id: string; type?: "org" } } }
export type OrgUser = { id: string; type: "user"; attributes: OrgUserAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type OrgUserAttributes = { name: string; username: string; email: string; active: boolean; membership: { created_at: string; strategy: "direct" | "indirect" } }
export type OrgUserDocument = { jsonapi: JsonApi; data: OrgUser; links: SelfLink }
export type OrgWithRole = { id: string; type: "org"; attributes: OrgAttributes; relationships: OrgWithRoleRelationships; links?: Record<string, unknown> }
export type OrgWithRoleList = { jsonapi: JsonApi; data: (OrgWithRole)[]; links: PageLinks; meta?: Record<string, unknown> }
export type OrgWithRoleRelationships = { member_role?: { data: { id: string; type: "role"; attributes?: { name: string } } } }
export type OrgWithTenant = { id: string; type: "org"; attributes: OrgAttributes; relationships?: OrgWithTenantRelationships; links?: Record<string, unknown> }
export type OrgWithTenantDocument = { jsonapi: JsonApi; data: OrgWithTenant; links: SelfLink }
export type OrgWithTenantRelationships = { tenant: { data: { id: string; type: "tenant"; attributes: { name: string; slug: string } } } }
export type OwnInstall = { id: string; type: "app_install"; attributes: OwnInstallAttributes; relationships: OwnInstallRelationships }
export type OwnInstallAttributes = { client_id?: string; client_secret?: string; installed_at: string }
export type OwnInstallList = { jsonapi: JsonApi; data: (OwnInstall)[]; links: PageLinks; meta?: Record<string, unknown> }
export type OwnInstallRelationships = { app: { data: AppSummary }; org?: { data: { id: string; type: "org" } }; group?: { data: { id: string; type: "group" } } }
export type PackageIssue = { id: string; type: "issue"; attributes: PackageIssueAttributes }
export type PackageIssueAttributes = { key: string; title: string; type: "package_vulnerability"; created_at: string; updated_at: string; description: string; problems: (Record<string, string>)[]; coordinates: (PackageIssueCoordinate)[]; severities: ({ source: string; type: "primary"; level: string; score: number; vector: string | null; version?: string })[]; effective_severity_level: string; slots: { disclosure_time: string; publication_time: string; exploit_details: { sources: (string)[]; maturity_levels: (Record<string, string>)[] }; exploitation: { is_exploited?: boolean; exploited_since?: string; exploit_due?: string; has_exploit?: boolean; epss_score?: number; epss_percentile?: number }; references: (Record<string, string>)[] } }
export type PackageIssueCoordinate = { remedies: ({ type: "indeterminate"; description: string; details: { upgrade_package: string } })[]; representations: ({ resource_path: string } | { package: IssuePackage })[] }
export type PackageIssueDocument = { jsonapi: JsonApi; data: PackageIssue; links: SelfLink }
export type PackageIssues = { jsonapi: JsonApi; data: (PackageIssue)[]; links: SelfLink; meta: { package?: IssuePackage; errors?: ({ id: string; status: string; code: string; title: string; detail: string; source: { pointer: string } })[] } }
export type PageLinks = { self: string; first: string; last: string; next?: string; prev?: string }
export type Permissions = ("group.read" | "group.create" | "group.edit" | "group.audit.read" | "group.org.create" | "group.org.delete" | "group.role.read" | "group.role.create" | "group.role.edit" | "group.role.delete" | "group.user.read" | "group.user.create" | "group.user.edit" | "group.user.delete" | "group.service_account.create" | "group.service_account.read" | "group.service_account.edit" | "group.service_account.delete" | "group.app.read" | "group.app.install" | "group.app.edit" | "org.read" | "org.edit" | "org.delete" | "org.audit.read" | "org.report.read" | "org.user.read" | "org.user.add" | "org.user.edit" | "org.user.delete" | "org.service_account.create" | "org.service_account.read" | "org.service_account.edit" | "org.service_account.delete" | "org.app.create" | "org.app.read" | "org.app.edit" | "org.app.delete" | "org.app.install" | "org.project.read" | "org.project.create" | "org.project.edit" | "org.project.delete" | "org.project.status" | "org.project.test" | "org.project.ignore.read" | "org.project.ignore.create" | "org.project.ignore.edit" | "org.project.ignore.delete" | "org.project.attributes.edit" | "org.project.tag.edit" | "org.project.pr.create" | "org.project.pr.skip" | "org.project.jira.issue.read" | "org.project.jira.issue.create" | "org.project.snapshot.read" | "org.package.test" | "org.container_image.read" | "org.collection.read" | "org.collection.create" | "org.collection.edit" | "org.collection.delete")[]
export type Pin = { version: string; forbiddenBy: (string)[]; notKnownOf: (string)[] }
export type PlainError = { code: number; message: string; error: string; errorRef: string; errorCode: string; faults?: ({ detail: string; source?: { pointer?: string; parameter?: string; header?: string } })[] }
export type Policy = { id: string; type: "license_policy"; attributes: PolicyAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type PolicyAttributes = { rules: (LicenseRule)[]; unlisted_severity: "none" | "low" | "medium" | "high" | "critical"; unknown_severity: "none" | "low" | "medium" | "high" | "critical"; updated_at: string | null }
export type PolicyCondition = { field: "vulnerability-id" | "package" | "package-version" | "path" | "ecosystem" | "project" | "project-tag" | "target" | "severity" | "fix-available"; operator: "includes"; value: (string)[] }
export type PolicyConditions = { logical_operator: "and"; conditions: (PolicyCondition)[] }
export type PolicyDocument = { jsonapi: JsonApi; data: Policy; links: SelfLink }
export type PolicyPreview = { vulnerabilities: number; issues: number; projects: number; severities: TrendCounts; first: ({ id: string; name: string; severity: string; projects: number })[]; is_complete: boolean }
export type Project = { id: string; type: "project"; attributes: ProjectAttributes; meta: { cli_monitored_at: string | null; latest_issue_counts?: { critical: number; high: number; medium: number; low: number; updated_at: string; ignored: { critical: number; high: number; medium: number; low: number } }; latest_dependency_total?: { total: number; updated_at: string } }; relationships: ProjectRelationships }
export type ProjectAttributes = { name: string; type: string; target_file: string; target_reference: string; origin: string; created: string; status: "active" | "inactive"; read_only: boolean; business_criticality: ("critical" | "high" | "medium" | "low")[]; environment: ("frontend" | "backend" | "internal" | "external" | "mobile" | "saas" | "onprem" | "hosted" | "distributed")[]; lifecycle: ("production" | "development" | "sandbox")[]; tags: ({ key: string; value: string })[]; settings: { recurring_tests: { frequency: "daily" | "weekly" | "never" }; pull_requests: { is_enabled: boolean } }; last_tested_at: string | null; next_test_at: string | null; failure: string | null; is_complete: boolean; stale_source: StaleSource }
export type ProjectBeforeRenaming = { id: string; type: "project"; attributes: ProjectBeforeRenamingAttributes; meta: { cli_monitored_at: string | null; latest_issue_counts?: { critical: number; high: number; medium: number; low: number; updated_at: string; ignored: { critical: number; high: number; medium: number; low: number } }; latest_dependency_total?: { total: number; updated_at: string } }; relationships: ProjectBeforeRenamingRelationships }
export type ProjectBeforeRenamingAttributes = { name: string; type: string; targetFile: string; targetReference: string; origin: string; created: string; status: "active" | "inactive"; readOnly: boolean; businessCriticality: ("critical" | "high" | "medium" | "low")[]; environment: ("frontend" | "backend" | "internal" | "external" | "mobile" | "saas" | "onprem" | "hosted" | "distributed")[]; lifecycle: ("production" | "development" | "sandbox")[]; tags: ({ key: string; value: string })[]; settings: { recurringTests: { frequency: "daily" | "weekly" | "never" }; pullRequests: { isEnabled: boolean } }; lastTestedAt: string | null; nextTestAt: string | null; failure: string | null; is_complete: boolean; stale_source: { message: string; since: string; read_at: string | null } | null }
export type ProjectBeforeRenamingRelationships = { organization: { data: { id: string; type: "org" }; links: RelatedLink }; target: { data: { id: string; type: "target"; attributes?: { displayName: string; remoteUrl: string | null } }; links: RelatedLink }; importer?: RelatedUser; owner?: RelatedUser }
export type ProjectCoverage = { id: string; type: "project_coverage"; attributes: Coverage; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type ProjectCoverageDocument = { jsonapi: JsonApi; data: ProjectCoverage; links: SelfLink }
export type ProjectDocument = { jsonapi: JsonApi; data: Project; links: SelfLink }
export type ProjectOfRelease = Project | ProjectBeforeRenaming
export type ProjectReference = { id: string; name: string }
export type ProjectRelationships = { organization: { data: { id: string; type: "org" }; links: RelatedLink }; target: { data: { id: string; type: "target"; attributes?: { display_name: string; url: string | null } }; links: RelatedLink }; importer?: RelatedUser; owner?: RelatedUser }
export type ProjectTag = { key: string; value: string }
export type PurlsInput = { data: PurlsInputData }
export type PurlsInputAttributes = { purls: (string)[] }
export type PurlsInputData = { type?: string; attributes: PurlsInputAttributes }
export type Readiness = { status: "ready" | "not ready"; checks: Record<string, HealthCheck> }
export type ReferringResult = { ok: boolean; issues: { vulnerabilities: (ReferringVulnerability)[]; licenses: (LicenseIssue)[] }; dependencyCount: number; org: { name: string; id: string }; licensesPolicy: AppliedLicensePolicy | null; packageManager: string; coverage: Coverage; bill?: Record<never, never>; ignored?: (IgnoredIssue)[]; notImported?: (NotImportedVulnerability)[] }
export type ReferringVulnerability = { id: string; url: string; title: string; type: "vuln"; functions: (VulnerableFunction)[]; from: (string)[]; pathCount?: number; declaration?: DeclarationPlace; package: string; version: string; severity: "critical" | "high" | "medium" | "low"; severityBasis: "cvss" | "database" | "malicious" | "assumed"; severityChange?: { originalSeverity: "critical" | "high" | "medium" | "low"; policy: { id: string; name: string } }; exploitMaturity: string; isExploited: boolean; exploitedSince?: string; exploitDue?: string; epssScore?: number; epssPercentile?: number; language: string; packageManager: string; semver: AffectedVersions; publicationTime: string; disclosureTime: string; isUpgradable: boolean; isPatchable: boolean; isPinnable: boolean; identifiers: VulnerabilityIdentifiers; CVSSv3: string; CVSSv2?: string; CVSSv4?: string; cvssScore: number; cvssScoreBasis: "vector" | "severity"; patches: (unknown)[]; upgradePath: (string)[]; ownProjects?: number; upgradesWith?: (string)[]; pin?: Pin; fixedIn: (string)[]; nearestFixedInVersion?: string }
export type RelatedLink = { related: string }
export type RelatedUser = { data: RelatedUserData; links: RelatedLink }
export type RelatedUserData = { id: string; type: "user" }
export type RenamedServiceAccount = { data: RenamedServiceAccountData }
export type RenamedServiceAccountAttributes = { name: string }
export type RenamedServiceAccountData = { id: string; type: "service_account"; attributes: RenamedServiceAccountAttributes }
export type ReplaceIgnoresV1Request = (ReplacingIgnore)[]
export type ReplacingIgnore = { ignorePath?: string; reason?: string; disregardIfFixable: boolean; expires?: string; reasonType?: "not-vulnerable" | "wont-fix" | "temporary-ignore" }
export type RevokeTokenRequest = { token: string; token_type_hint?: string; client_id?: string; client_secret?: string; client_assertion_type?: string; client_assertion?: string }
export type RiskFactor = { name: string; points: number; description: string }
export type Role = { id: string; type: "role"; attributes: RoleAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type RoleAttributes = { name: string; description: string; permissions: Permissions; is_custom: boolean; created_at: string; updated_at: string }
export type RoleDocument = { jsonapi: JsonApi; data: Role; links: SelfLink }
export type RoleList = { jsonapi: JsonApi; data: (Role)[]; links: PageLinks; meta?: Record<string, unknown> }
export type SarifLog = Record<never, never>
export type SbomWithoutFormat = { jsonapi: JsonApi; data: SbomWithoutFormatData; meta: { formats: ("cyclonedx1.6+json" | "cyclonedx1.6+xml" | "cyclonedx1.5+json" | "cyclonedx1.5+xml" | "cyclonedx1.4+json" | "cyclonedx1.4+xml" | "spdx2.3+json" | "openvex0.2.0+json" | "sarif2.1.0+json")[] } }
export type SbomWithoutFormatData = { id: string; type: "sbom" }
export type SearchHit = { id: string; type: "vulnerability" | "package" | "project" | "app" | "service_account" | "member"; attributes: SearchHitAttributes }
export type SearchHitAttributes = { name: string; context?: string; severity?: "critical" | "high" | "medium" | "low"; is_exploited?: boolean; projects?: number }
export type SearchOrgResponse = { jsonapi: JsonApi; data: (SearchHit)[]; links: SelfLink }
export type SecretsAttributes = { mode: "replace" | "create" | "delete"; secret?: string; grace_seconds?: number; expires_at?: string; allowed_networks?: (string)[] }
export type Self = SelfUser | SelfServiceAccount | SelfApp
export type SelfApp = { id: string; type: "app_instance"; attributes: SelfAppAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type SelfAppAttributes = { name: string; default_org_context?: string }
export type SelfDocument = { jsonapi: JsonApi; data: Self; links: SelfLink }
export type SelfLink = { self: string }
export type SelfServiceAccount = { id: string; type: "service_account"; attributes: SelfServiceAccountAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type SelfServiceAccountAttributes = { name: string; default_org_context?: string }
export type SelfUser = { id: string; type: "user"; attributes: SelfUserAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type SelfUserAttributes = { name: string; username: string; email: string; default_org_context?: string }
export type SentCredentials = { token?: string; username?: string; password?: string }
export type ServiceAccount = { id: string; type: "service_account"; attributes: ServiceAccountAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type ServiceAccountAttributes = { name: string; auth_type: "api_key" | "oauth_client_secret" | "oauth_private_key_jwt"; level: "Org" | "Group"; role_id: string; created_at: string; api_key?: string; client_id?: string; client_secret?: string; jwks_url?: string; access_token_ttl_seconds?: number; expires_at?: string; allowed_networks?: (string)[] }
export type ServiceAccountDocument = { jsonapi: JsonApi; data: ServiceAccount; links: SelfLink }
export type ServiceAccountList = { jsonapi: JsonApi; data: (ServiceAccount)[]; links: PageLinks; meta?: Record<string, unknown> }
export type ServiceAccountSecrets = { data: ServiceAccountSecretsData }
export type ServiceAccountSecretsData = { type: "service_account"; attributes: SecretsAttributes }
export type SetProjectAttributesV1Request = { criticality?: ("critical" | "high" | "medium" | "low")[]; environment?: ("frontend" | "backend" | "internal" | "external" | "mobile" | "saas" | "onprem" | "hosted" | "distributed")[]; lifecycle?: ("production" | "development" | "sandbox")[] }
export type SetProjectAttributesV1Response = { attributes: V1ProjectAttributes }
export type SlaPolicy = { id: string; type: "sla_policy"; attributes: SlaPolicyAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type SlaPolicyAttributes = { critical_days: number | null; high_days: number | null; medium_days: number | null; low_days: number | null; exploited_days: number | null; updated_at: string | null }
export type SlaPolicyDocument = { jsonapi: JsonApi; data: SlaPolicy; links: SelfLink }
export type SnapshotSearch = { filters?: { imageId?: string } }
export type StaleSource = { message: string; since: string; read_at: string | null } | null
export type StreamImportEventsResponse = string
export type TagBody = { key: string; value: string }
export type Target = { id: string; type: "target"; attributes: TargetAttributes; relationships: TargetRelationships }
export type TargetAttributes = { display_name: string; url: string | null; is_private: boolean; origin: string; created_at: string }
export type TargetBeforeRenaming = { id: string; type: "target"; attributes: TargetBeforeRenamingAttributes; relationships: TargetBeforeRenamingRelationships }
export type TargetBeforeRenamingAttributes = { displayName: string; remoteUrl: string | null; isPrivate: boolean; origin: string; createdAt: string }
export type TargetBeforeRenamingRelationships = { organization: { data: { id: string; type: "organization" } }; integration: { data: { id: string | null; type: "integration"; attributes: { integration_type: string } } } }
export type TargetRelationships = { organization: { data: { id: string; type: "organization" } }; integration: { data: { id: string | null; type: "integration"; attributes: { integration_type: string } } } }
export type TestFiles = { target: { contents: string }; additional?: ({ contents: string })[] | { contents: string } | Record<never, never> }
export type TestRequest = { encoding?: "plain" | "base64"; files: TestFiles }
export type TestResult = { ok: boolean; issues: { vulnerabilities: (Vulnerability)[]; licenses: (LicenseIssue)[] }; dependencyCount: number; org: { name: string; id: string }; licensesPolicy: AppliedLicensePolicy | null; packageManager: string; coverage: Coverage; bill?: Record<never, never>; ignored?: (IgnoredIssue)[]; notImported?: (NotImportedVulnerability)[] }
export type TokenAnswer = { access_token: string; token_type: "bearer"; expires_in: number; scope: string; bot_id: string; refresh_token?: string; refresh_expires_in?: number }
export type TokenRequest = { grant_type?: string; client_id?: string; client_secret?: string; client_assertion_type?: string; client_assertion?: string; code?: string; redirect_uri?: string; code_verifier?: string; refresh_token?: string; scope?: string }
export type TreeRequest = { encoding?: "plain" | "base64"; files: ({ path: string; contents: string })[] }
export type TreeResult = { ok: boolean; projects: ({ path: string; packageManager: string; ok: boolean; result?: ReferringResult; error?: { code: string; message: string } })[]; advisories: Record<string, VulnerabilityDetails>; leftOut: ({ path: string; packageManager?: string; reason: string })[]; outOfScope?: ({ path: string; packageManager?: string; reason: string })[]; excluded: number; excludedByPolicy?: ({ path: string; packageManager?: string; reason: string })[]; policyNotes?: (string)[]; next?: string }
export type TrendCounts = { critical: number; high: number; medium: number; low: number }
export type TrendPoint = { date: string; open: TrendCounts; opened: TrendCounts; fixed: TrendCounts; ignored: TrendCounts; removed: TrendCounts }
export type Trends = { id: string; type: "trends"; attributes: TrendsAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type TrendsAttributes = { from: string; to: string; interval: "day" | "week"; since: string; mean_days_to_fix: { critical: number | null; high: number | null; medium: number | null; low: number | null }; points: (TrendPoint)[] }
export type TrendsDocument = { jsonapi: JsonApi; data: Trends; links: SelfLink }
export type UnresolvedDependency = { name: string; range: string; code: string; reason: string; requiredBy: string; line?: number; file?: string }
export type UpdateAppDeprecatedRequest = ChangedAppAttributes | WrappedChangedApp
export type UpdateOrgSettingsV1Request = { requestAccess?: { enabled?: boolean }; policyFiles?: "allow" | "require-reason" | "forbid" }
export type UpdateOrgSettingsV1Response = { requestAccess: { enabled: boolean }; policyFiles: "allow" | "require-reason" | "forbid" }
export type User = { id: string; type: "user"; attributes: UserAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type UserAttributes = { name: string; username: string; email: string; has_password: boolean; disabled: boolean; group_role?: string; org_memberships: number; created_at: string; updated_at: string }
export type UserDocument = { jsonapi: JsonApi; data: User; links: SelfLink }
export type UserList = { jsonapi: JsonApi; data: (User)[]; links: PageLinks; meta?: Record<string, unknown> }
export type V1CreatedOrg = { id: string; name: string; slug: string; url: string; created: string; group: GroupReference }
export type V1Dependencies = { results: ({ id: string; name: string; version: string; type: string; packageManager: string; issuesCritical: number; issuesHigh: number; issuesMedium: number; issuesLow: number; licenses: ({ id: string; title: string; license: string })[]; projects: (ProjectReference)[]; projectsTotal: number })[]; total: number }
export type V1GroupMembers = ({ id: string; name: string; username: string; email: string; orgs: ({ name: string; role: string })[]; groupRole?: string })[]
export type V1GroupOrgs = { id: string; name: string; url: string; created: string; orgs: ({ id: string; name: string; slug: string; url: string; created: string })[] }
export type V1ImportJob = { id: string; status: "pending" | "complete"; created: string; logs: (V1ImportLog)[] }
export type V1ImportLog = { name: string; created: string; status: "pending" | "complete" | "failed" | "aborted"; truncated?: boolean; userMessage?: string; projects: (V1ImportedProject)[] }
export type V1ImportedProject = { targetFile: string; success: boolean; projectUrl: string; projectId?: string; userMessage?: string }
export type V1Integration = { type: string; credentials?: { token?: string; username?: string; password?: string; url?: string }; broker?: { enabled?: boolean } }
export type V1IntegrationId = { id: string }
export type V1IntegrationSettings = { autoDepUpgradeLimit?: number; autoDepUpgradeIgnoredDependencies?: (string)[]; autoDepUpgradeEnabled?: boolean; autoDepUpgradeMinAge?: number; pullRequestFailOnAnyVulns?: boolean; pullRequestFailOnlyForHighSeverity?: boolean; pullRequestTestEnabled?: boolean; pullRequestAssignment?: string | Record<never, never> | null; autoRemediationPrs?: { backlogPrsEnabled?: boolean; backlogPrStrategy?: "vuln" | "dependency"; freshPrsEnabled?: boolean; usePatchRemediation?: boolean }; manualRemediationPrs?: { usePatchRemediation?: boolean }; dockerfileSCMEnabled?: boolean }
export type V1Integrations = Record<string, string>
export type V1Invitation = { email: string; isAdmin?: boolean }
export type V1Licenses = { results: ({ id: string; severity: "critical" | "high" | "medium" | "low" | "none"; instructions: string; dependencies: ({ id: string; name: string; version: string; packageManager: string })[]; dependenciesTotal: number; projects: (ProjectReference)[]; projectsTotal: number })[]; total: number }
export type V1ListedProject = { name: string; id: string; created: string; origin: string; type: string; readOnly: boolean; testFrequency: "daily" | "weekly" | "never"; totalDependencies: number; issueCountsBySeverity: V1SeverityCounts; ignoredIssueCountsBySeverity: { critical: number; high: number; medium: number; low: number }; remoteRepoUrl?: string; lastTestedDate: string; importingUser: V1Person | null; owner: V1Person | null; browseUrl: string; isMonitored: boolean; branch: string | null; targetReference: string | null; targetFile: string | null; failure: string | null; isComplete: boolean; staleSource: V1StaleSource; tags: ({ key: string; value: string })[]; attributes: V1ProjectAttributes }
export type V1Members = ({ id: string; name: string; username: string; email: string; role: string })[]
export type V1NewImport = { target: Record<string, unknown>; files?: ({ path: string })[]; exclusionGlobs?: string }
export type V1NewOrg = { name: string; groupId?: string; sourceOrgId?: string; copyMembers?: boolean }
export type V1Orgs = { orgs: ({ id: string; name: string; slug: string; url: string; group: GroupReference })[] }
export type V1PageLinks = { prev?: string; next?: string; last?: string }
export type V1Person = { id: string; name: string; username: string; email: string }
export type V1Project = { name: string; id: string; created: string; origin: string; type: string; readOnly: boolean; testFrequency: "daily" | "weekly" | "never"; totalDependencies: number; issueCountsBySeverity: V1SeverityCounts; ignoredIssueCountsBySeverity: { critical: number; high: number; medium: number; low: number }; remoteRepoUrl?: string; lastTestedDate: string; importingUser: V1Person | null; owner: V1Person | null; browseUrl: string; isMonitored: boolean; branch: string | null; targetReference: string | null; targetFile: string | null; failure: string | null; isComplete: boolean; staleSource: V1StaleSource; tags: ({ key: string; value: string })[]; attributes: V1ProjectAttributes; remediation: { upgrade: Record<string, { upgradeTo: string; upgrades: (string)[]; vulns: (string)[] }>; patch: Record<never, never>; pin: Record<string, { upgradeTo: string; vulns: (string)[]; isTransitive: boolean }>; unresolved: Record<string, { vulns: (string)[] }> } }
export type V1ProjectAttributes = { criticality: ("critical" | "high" | "medium" | "low")[]; environment: ("frontend" | "backend" | "internal" | "external" | "mobile" | "saas" | "onprem" | "hosted" | "distributed")[]; lifecycle: ("production" | "development" | "sandbox")[] }
export type V1ProjectHistory = { snapshots: ({ id: string; created: string; totalDependencies: number; issueCounts: { vuln: V1SeverityCounts; license: V1SeverityCounts }; method: "api" | "cli" | "recurring"; revision: string | null })[]; total: number }
export type V1ProjectSearch = { filters?: { name?: string; origin?: string; type?: string; isMonitored?: boolean; tags?: { includes?: ({ key: string; value: string })[] }; attributes?: { criticality?: ("critical" | "high" | "medium" | "low")[]; environment?: ("frontend" | "backend" | "internal" | "external" | "mobile" | "saas" | "onprem" | "hosted" | "distributed")[]; lifecycle?: ("production" | "development" | "sandbox")[] } } }
export type V1ProjectSettings = { testFrequency?: "daily" | "weekly" | "never"; pullRequestTestEnabled?: boolean; pullRequestFailOnAnyVulns?: boolean; pullRequestFailOnlyForHighSeverity?: boolean; pullRequestFailOnlyForIssuesWithFix?: boolean; pullRequestInheritance?: unknown; pullRequestAssignment?: unknown; autoDepUpgradeEnabled?: boolean; autoDepUpgradeIgnoredDependencies?: (string)[]; autoDepUpgradeMinAge?: number; autoDepUpgradeLimit?: number; autoRemediationPrs?: unknown }
export type V1Projects = { org: { name: string; id: string }; projects: (V1ListedProject)[] }
export type V1Roles = ({ name: string; description: string; publicId: string; customRole: boolean; created: string; modified: string })[]
export type V1SeverityCounts = { critical: number; high: number; medium: number; low: number }
export type V1StaleSource = { message: string; since: string; readAt: string | null } | null
export type V1Tags = { tags: ({ key: string; value: string })[] }
export type V1Webhooks = { results: ({ id: string; url: string })[]; total: number }
export type VerifyTokenV1Request = { api: string }
export type VerifyTokenV1Response = { ok: boolean; api: string }
export type VexAnswer = { jsonapi: JsonApi; meta: { document: { kind: "openvex" | "cyclonedx" | "csaf"; id: string }; statements: { ignoring: number; affected: number; under_investigation: number; unmatched: number }; policies: { created: number; updated: number; unchanged: number; withdrawn: number } } }
export type VexInput = Record<never, never>
export type Vulnerability = { id: string; url: string; title: string; type: "vuln"; description: string; functions: (VulnerableFunction)[]; from: (string)[]; pathCount?: number; declaration?: DeclarationPlace; package: string; version: string; severity: "critical" | "high" | "medium" | "low"; severityBasis: "cvss" | "database" | "malicious" | "assumed"; severityChange?: { originalSeverity: "critical" | "high" | "medium" | "low"; policy: { id: string; name: string } }; exploitMaturity: string; isExploited: boolean; exploitedSince?: string; exploitDue?: string; epssScore?: number; epssPercentile?: number; language: string; packageManager: string; semver: AffectedVersions; publicationTime: string; disclosureTime: string; isUpgradable: boolean; isPatchable: boolean; isPinnable: boolean; identifiers: VulnerabilityIdentifiers; credit: (string)[]; CVSSv3: string; CVSSv2?: string; CVSSv4?: string; cvssScore: number; cvssScoreBasis: "vector" | "severity"; patches: (unknown)[]; upgradePath: (string)[]; ownProjects?: number; upgradesWith?: (string)[]; pin?: Pin; fixedIn: (string)[]; nearestFixedInVersion?: string; references: (string)[] }
export type VulnerabilityDetails = { description: string; credit: (string)[]; references: (string)[] }
export type VulnerabilityIdentifiers = { CVE: (string)[]; CWE: (string)[]; GHSA: (string)[]; ALTERNATIVE: (string)[] }
export type VulnerableFunction = { functionId: { filePath?: string; className?: string; functionName: string }; version: (string)[] }
export type Webhook = { id: string; type: "webhook"; attributes: WebhookAttributes; relationships?: Record<string, unknown>; links?: Record<string, unknown> }
export type WebhookAttributes = { url: string; events: WebhookEvents; description: string; is_active: boolean; deactivation?: "failing" | "gone"; failing_since?: string; created_at: string; updated_at: string; previous_secret_ends_at?: string; secret?: string }
export type WebhookDocument = { jsonapi: JsonApi; data: Webhook; links: SelfLink }
export type WebhookEvents = ("issues.new" | "issue.overdue" | "import.finished" | "credential.created" | "credential.rotated" | "credential.deleted" | "credential.expiring" | "credential.expired" | "credential.exposed" | "credential.reused" | "*")[]
export type WebhookList = { jsonapi: JsonApi; data: (Webhook)[]; links: PageLinks; meta?: Record<string, unknown> }
export type WrappedChangedApp = { data: WrappedChangedAppData }
export type WrappedChangedAppData = { type: "app"; attributes: ChangedAppAttributes }
export type WrappedNewApp = { data: WrappedNewAppData }
export type WrappedNewAppData = { type: "app"; attributes: DeprecatedNewAppAttributes }

/** Path parameters, query, body and answer of each operation. */
export interface Operations {
  /** Activate a project; it is tested again soon, then regularly (POST /v1/org/{orgId}/project/{projectId}/activate) */
  'activateProjectV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: undefined; answer: ActivateProjectV1Response }
  /** Ignore an issue of a project (POST /v1/org/{orgId}/project/{projectId}/ignore/{issueId}) */
  'addIgnoreV1': { params: { orgId: string; projectId: string; issueId: string }; query: Record<never, never>; body: NewIgnore; answer: IgnoreEntry }
  /** Add a tag to a project (POST /v1/org/{orgId}/project/{projectId}/tags) */
  'addProjectTagV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: TagBody; answer: V1Tags }
  /** Cancel an import (DELETE /rest/orgs/{org_id}/imports/{import_id}) */
  'cancelImport': { params: { org_id: string; import_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Cancel an import job (DELETE /v1/org/{orgId}/integrations/{integrationId}/import/{jobId}) */
  'cancelImportJobV1': { params: { orgId: string; integrationId: string; jobId: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Copy an integration to another organization of the group (POST /v1/org/{orgId}/integrations/{integrationId}/clone) */
  'cloneIntegrationV1': { params: { orgId: string; integrationId: string }; query: Record<never, never>; body: CloneIntegrationV1Request; answer: CloneIntegrationV1Response }
  /** Register an app of an organization (POST /rest/orgs/{org_id}/apps/creations) */
  'createApp': { params: { org_id: string }; query: Record<never, never>; body: NewApp; answer: AppDocument }
  /** Register an app of an organization (POST /rest/orgs/{org_id}/apps) */
  'createAppDeprecated': { params: { org_id: string }; query: Record<never, never>; body: CreateAppDeprecatedRequest; answer: DeprecatedAppDocument }
  /** Comment on a vulnerability in a project or repository (POST /rest/orgs/{org_id}/triage/{place_id}/{issue_id}/comments) */
  'createComment': { params: { org_id: string; place_id: string; issue_id: string }; query: Record<never, never>; body: NewIssueComment; answer: IssueCommentDocument }
  /** Create a group; the caller becomes its Group Admin (POST /rest/groups) */
  'createGroup': { params: Record<never, never>; query: Record<never, never>; body: NewGroup; answer: GroupDocument }
  /** Install an unattended app in a group (POST /rest/groups/{group_id}/apps/installs) */
  'createGroupAppInstall': { params: { group_id: string }; query: Record<never, never>; body: NewInstall; answer: CreatedInstallDocument }
  /** Make a user a member of a group (POST /rest/groups/{group_id}/memberships) */
  'createGroupMembership': { params: { group_id: string }; query: Record<never, never>; body: GroupNewMembership; answer: GroupMembershipDocument }
  /** Create a policy of a group (POST /rest/groups/{group_id}/policies) */
  'createGroupPolicy': { params: { group_id: string }; query: { dry_run?: boolean | undefined }; body: NewPolicy; answer: CreateGroupPolicyResponse | IgnorePolicyDocument }
  /** Create a service account of a group (POST /rest/groups/{group_id}/service_accounts) */
  'createGroupServiceAccount': { params: { group_id: string }; query: Record<never, never>; body: NewGroupServiceAccount; answer: ServiceAccountDocument }
  /** Connect a source of repositories (POST /rest/orgs/{org_id}/integrations) */
  'createIntegration': { params: { org_id: string }; query: Record<never, never>; body: NewIntegration; answer: IntegrationDocument }
  /** Connect a source of repositories (POST /v1/org/{orgId}/integrations) */
  'createIntegrationV1': { params: { orgId: string }; query: Record<never, never>; body: V1Integration; answer: V1IntegrationId }
  /** Create a ticket for an issue; not supported (POST /v1/org/{orgId}/project/{projectId}/issue/{issueId}/jira-issue) */
  'createJiraIssueV1': { params: { orgId: string; projectId: string; issueId: string }; query: Record<never, never>; body: CreateJiraIssueV1Request; answer: CreateJiraIssueV1Response }
  /** Install an unattended app in an organization (POST /rest/orgs/{org_id}/apps/installs) */
  'createOrgAppInstall': { params: { org_id: string }; query: Record<never, never>; body: NewInstall; answer: CreatedInstallDocument }
  /** Make a user a member of an organization (POST /rest/orgs/{org_id}/memberships) */
  'createOrgMembership': { params: { org_id: string }; query: Record<never, never>; body: OrgNewMembership; answer: OrgCreatedMembership }
  /** Create a policy of an organization (POST /rest/orgs/{org_id}/policies) */
  'createOrgPolicy': { params: { org_id: string }; query: { dry_run?: boolean | undefined }; body: NewPolicy; answer: CreateOrgPolicyResponse | IgnorePolicyDocument }
  /** Create a service account of an organization (POST /rest/orgs/{org_id}/service_accounts) */
  'createOrgServiceAccount': { params: { org_id: string }; query: Record<never, never>; body: NewOrgServiceAccount; answer: ServiceAccountDocument }
  /** Create an organization in a group (POST /v1/org) */
  'createOrgV1': { params: Record<never, never>; query: Record<never, never>; body: V1NewOrg; answer: V1CreatedOrg }
  /** Create an API key of the caller; the response shows it once (POST /rest/self/api_keys) */
  'createOwnApiKey': { params: Record<never, never>; query: Record<never, never>; body: NewApiKey; answer: ApiKeyDocument }
  /** Create a custom role (POST /rest/groups/{group_id}/roles) */
  'createRole': { params: { group_id: string }; query: Record<never, never>; body: NewRole; answer: RoleDocument }
  /** Create a user, who has no permissions without a membership (POST /rest/groups/{group_id}/users) */
  'createUser': { params: { group_id: string }; query: Record<never, never>; body: NewUser; answer: UserDocument }
  /** Create a webhook (POST /rest/orgs/{org_id}/webhooks) */
  'createWebhook': { params: { org_id: string }; query: Record<never, never>; body: NewWebhook; answer: WebhookDocument }
  /** Deactivate a project, which is then no longer tested again (POST /v1/org/{orgId}/project/{projectId}/deactivate) */
  'deactivateProjectV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: undefined; answer: DeactivateProjectV1Response }
  /** Delete an app; its installs, sessions and credentials stop working immediately (DELETE /rest/orgs/{org_id}/apps/creations/{app_id}) */
  'deleteApp': { params: { org_id: string; app_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Revoke the install of a bot in an organization (DELETE /rest/orgs/{org_id}/app_bots/{bot_id}) */
  'deleteAppBot': { params: { org_id: string; bot_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete an app; its installs, sessions and credentials stop working immediately (DELETE /rest/orgs/{org_id}/apps/{client_id}) */
  'deleteAppDeprecated': { params: { org_id: string; client_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete a client secret of an app by its id (DELETE /rest/orgs/{org_id}/apps/creations/{app_id}/secrets/{secret_id}) */
  'deleteAppSecret': { params: { org_id: string; app_id: string; secret_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete an archive; its projects stay (DELETE /rest/orgs/{org_id}/integrations/{integration_id}/archives/{archive_id}) */
  'deleteArchive': { params: { org_id: string; integration_id: string; archive_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete one’s own comment on a vulnerability (DELETE /rest/orgs/{org_id}/issue_comments/{comment_id}) */
  'deleteComment': { params: { org_id: string; comment_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Revoke an install of a group; its credentials stop working immediately (DELETE /rest/groups/{group_id}/apps/installs/{install_id}) */
  'deleteGroupAppInstall': { params: { group_id: string; install_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete a client secret of an install of a group by its id (DELETE /rest/groups/{group_id}/apps/installs/{install_id}/secrets/{secret_id}) */
  'deleteGroupAppInstallSecret': { params: { group_id: string; install_id: string; secret_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Remove a member from a group (DELETE /rest/groups/{group_id}/memberships/{membership_id}) */
  'deleteGroupMembership': { params: { group_id: string; membership_id: string }; query: { cascade?: boolean | undefined }; body: undefined; answer: undefined }
  /** Delete a policy of a group (DELETE /rest/groups/{group_id}/policies/{policy_id}) */
  'deleteGroupPolicy': { params: { group_id: string; policy_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete a service account of a group; its credentials are refused at once (DELETE /rest/groups/{group_id}/service_accounts/{serviceaccount_id}) */
  'deleteGroupServiceAccount': { params: { group_id: string; serviceaccount_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete a client secret of a service account of a group by its id (DELETE /rest/groups/{group_id}/service_accounts/{serviceaccount_id}/secrets/{secret_id}) */
  'deleteGroupServiceAccountSecret': { params: { group_id: string; serviceaccount_id: string; secret_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete one ignore (DELETE /rest/orgs/{org_id}/ignores/{ignore_id}) */
  'deleteIgnore': { params: { org_id: string; ignore_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete all ignores of an issue of a project (DELETE /v1/org/{orgId}/project/{projectId}/ignore/{issueId}) */
  'deleteIgnoresV1': { params: { orgId: string; projectId: string; issueId: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete an integration with its credentials and archives; its projects stay (DELETE /rest/orgs/{org_id}/integrations/{integration_id}) */
  'deleteIntegration': { params: { org_id: string; integration_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete the credentials of an integration (DELETE /v1/org/{orgId}/integrations/{integrationId}/authentication) */
  'deleteIntegrationCredentialsV1': { params: { orgId: string; integrationId: string }; query: Record<never, never>; body: undefined; answer: DeleteIntegrationCredentialsV1Response }
  /** Delete an integration; its projects stay (DELETE /v1/org/{orgId}/integrations/{integrationId}) */
  'deleteIntegrationV1': { params: { orgId: string; integrationId: string }; query: Record<never, never>; body: undefined; answer: DeleteIntegrationV1Response }
  /** Revoke an install of an organization; its credentials stop working immediately (DELETE /rest/orgs/{org_id}/apps/installs/{install_id}) */
  'deleteOrgAppInstall': { params: { org_id: string; install_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete a client secret of an install of an organization by its id (DELETE /rest/orgs/{org_id}/apps/installs/{install_id}/secrets/{secret_id}) */
  'deleteOrgAppInstallSecret': { params: { org_id: string; install_id: string; secret_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Remove a member from an organization (DELETE /rest/orgs/{org_id}/memberships/{membership_id}) */
  'deleteOrgMembership': { params: { org_id: string; membership_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete a policy of an organization (DELETE /rest/orgs/{org_id}/policies/{policy_id}) */
  'deleteOrgPolicy': { params: { org_id: string; policy_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete a project with its history and ignores (DELETE /rest/orgs/{org_id}/projects/{project_id}) */
  'deleteOrgProject': { params: { org_id: string; project_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete a service account of an organization; its credentials are refused at once (DELETE /rest/orgs/{org_id}/service_accounts/{serviceaccount_id}) */
  'deleteOrgServiceAccount': { params: { org_id: string; serviceaccount_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete a client secret of a service account of an organization by its id (DELETE /rest/orgs/{org_id}/service_accounts/{serviceaccount_id}/secrets/{secret_id}) */
  'deleteOrgServiceAccountSecret': { params: { org_id: string; serviceaccount_id: string; secret_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete an organization and everything in it (DELETE /v1/org/{orgId}) */
  'deleteOrgV1': { params: { orgId: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete a target with all of its projects (DELETE /rest/orgs/{org_id}/targets/{target_id}) */
  'deleteOrgsTarget': { params: { org_id: string; target_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete an API key of the caller; it stops working immediately (DELETE /rest/self/api_keys/{key_id}) */
  'deleteOwnApiKey': { params: { key_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete a project with its history and ignores (DELETE /v1/org/{orgId}/project/{projectId}) */
  'deleteProjectV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: undefined; answer: DeleteProjectV1Response }
  /** Delete several projects (POST /v1/org/{orgId}/projects/bulk-delete) */
  'deleteProjectsV1': { params: { orgId: string }; query: Record<never, never>; body: DeleteProjectsV1Request; answer: DeleteProjectsV1Response }
  /** Delete a custom role that no membership has (DELETE /rest/groups/{group_id}/roles/{role_id}) */
  'deleteRole': { params: { group_id: string; role_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Revoke the access of an app for the calling user, everywhere and immediately (DELETE /rest/self/apps/{app_id}) */
  'deleteSelfApp': { params: { app_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Revoke the access of an app for the calling user in one place (DELETE /rest/self/apps/installs/{install_id}) */
  'deleteSelfAppInstall': { params: { install_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Revoke one session of an app; its tokens stop working immediately (DELETE /rest/self/apps/{app_id}/sessions/{session_id}) */
  'deleteSelfAppSession': { params: { app_id: string; session_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete an API key of a user of the group; it stops working immediately (DELETE /rest/groups/{group_id}/users/{user_id}/api_keys/{key_id}) */
  'deleteUserApiKey': { params: { group_id: string; user_id: string; key_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Disconnect a user from an identity provider; the sessions that began there end (DELETE /rest/groups/{group_id}/users/{user_id}/identities/{identity_id}) */
  'deleteUserIdentity': { params: { group_id: string; user_id: string; identity_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete a user with all memberships and API keys, which stop working immediately (DELETE /rest/groups/{group_id}/users/{user_id}) */
  'deleteUserOfGroup': { params: { group_id: string; user_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Delete a webhook, with the log of its deliveries (DELETE /rest/orgs/{org_id}/webhooks/{webhook_id}) */
  'deleteWebhook': { params: { org_id: string; webhook_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Export the issues or the bill of materials of an organization (GET /rest/orgs/{org_id}/export) */
  'exportOrg': { params: { org_id: string }; query: { format?: "csv" | "html" | "cyclonedx1.6+json" | "spdx2.3+json" | "openvex0.2.0+json" | undefined; 'scan_item.id'?: string | undefined }; body: undefined; answer: ExportOrgResponse }
  /** Export the issues or the bill of materials of a target (GET /rest/orgs/{org_id}/targets/{target_id}/export) */
  'exportTarget': { params: { org_id: string; target_id: string }; query: { format?: "csv" | "html" | "cyclonedx1.6+json" | "spdx2.3+json" | "openvex0.2.0+json" | undefined; 'scan_item.id'?: string | undefined }; body: undefined; answer: ExportTargetResponse }
  /** Read an app of an organization (GET /rest/orgs/{org_id}/apps/creations/{app_id}) */
  'getApp': { params: { org_id: string; app_id: string }; query: Record<never, never>; body: undefined; answer: AppDocument }
  /** Read an app of an organization (GET /rest/orgs/{org_id}/apps/{client_id}) */
  'getAppDeprecated': { params: { org_id: string; client_id: string }; query: Record<never, never>; body: undefined; answer: DeprecatedAppDocument }
  /** Read a credential of an app (GET /rest/orgs/{org_id}/apps/creations/{app_id}/secrets/{secret_id}) */
  'getAppSecret': { params: { org_id: string; app_id: string; secret_id: string }; query: Record<never, never>; body: undefined; answer: CredentialDocument }
  /** Check an entitlement of an organization (GET /v1/org/{orgId}/entitlement/{entitlementKey}) */
  'getEntitlementV1': { params: { orgId: string; entitlementKey: string }; query: Record<never, never>; body: undefined; answer: GetEntitlementV1Response }
  /** Check a feature flag for command-line clients (GET /v1/cli-config/feature-flags/{flag}) */
  'getFeatureFlagV1': { params: { flag: string }; query: { org?: string | undefined }; body: undefined; answer: GetFeatureFlagV1Response }
  /** Read a group (GET /rest/groups/{group_id}) */
  'getGroup': { params: { group_id: string }; query: Record<never, never>; body: undefined; answer: GroupDocument }
  /** Read an install of a group (GET /rest/groups/{group_id}/apps/installs/{install_id}) */
  'getGroupAppInstall': { params: { group_id: string; install_id: string }; query: { expand?: ("app")[] | undefined }; body: undefined; answer: AppInstallDocument }
  /** Read a credential of an install of a group (GET /rest/groups/{group_id}/apps/installs/{install_id}/secrets/{secret_id}) */
  'getGroupAppInstallSecret': { params: { group_id: string; install_id: string; secret_id: string }; query: Record<never, never>; body: undefined; answer: CredentialDocument }
  /** Read a membership of a group (GET /rest/groups/{group_id}/memberships/{membership_id}) */
  'getGroupMembership': { params: { group_id: string; membership_id: string }; query: Record<never, never>; body: undefined; answer: GroupMembershipDocument }
  /** Read a policy of a group (GET /rest/groups/{group_id}/policies/{policy_id}) */
  'getGroupPolicy': { params: { group_id: string; policy_id: string }; query: Record<never, never>; body: undefined; answer: IgnorePolicyDocument }
  /** Read a service account of a group (GET /rest/groups/{group_id}/service_accounts/{serviceaccount_id}) */
  'getGroupServiceAccount': { params: { group_id: string; serviceaccount_id: string }; query: Record<never, never>; body: undefined; answer: ServiceAccountDocument }
  /** Read a credential of a service account of a group (GET /rest/groups/{group_id}/service_accounts/{serviceaccount_id}/secrets/{secret_id}) */
  'getGroupServiceAccountSecret': { params: { group_id: string; serviceaccount_id: string; secret_id: string }; query: Record<never, never>; body: undefined; answer: CredentialDocument }
  /** Check the process (GET /healthz) */
  'getHealth': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: GetHealthResponse }
  /** Read how an issue of a project is ignored (GET /v1/org/{orgId}/project/{projectId}/ignore/{issueId}) */
  'getIgnoreV1': { params: { orgId: string; projectId: string; issueId: string }; query: Record<never, never>; body: undefined; answer: IgnoreEntry }
  /** Read an import (GET /rest/orgs/{org_id}/imports/{import_id}) */
  'getImport': { params: { org_id: string; import_id: string }; query: Record<never, never>; body: undefined; answer: ImportDocument }
  /** Read an import job (GET /v1/org/{orgId}/integrations/{integrationId}/import/{jobId}) */
  'getImportJobV1': { params: { orgId: string; integrationId: string; jobId: string }; query: Record<never, never>; body: undefined; answer: V1ImportJob }
  /** Read an integration (GET /rest/orgs/{org_id}/integrations/{integration_id}) */
  'getIntegration': { params: { org_id: string; integration_id: string }; query: Record<never, never>; body: undefined; answer: IntegrationDocument }
  /** Read the settings of an integration (GET /v1/org/{orgId}/integrations/{integrationId}/settings) */
  'getIntegrationSettingsV1': { params: { orgId: string; integrationId: string }; query: Record<never, never>; body: undefined; answer: V1IntegrationSettings }
  /** Find an integration by its kind or id (GET /v1/org/{orgId}/integrations/{integrationId}) */
  'getIntegrationV1': { params: { orgId: string; integrationId: string }; query: Record<never, never>; body: undefined; answer: V1IntegrationId }
  /** Read the license policy of an organization (GET /rest/orgs/{org_id}/license_policy) */
  'getLicensePolicy': { params: { org_id: string }; query: Record<never, never>; body: undefined; answer: PolicyDocument }
  /** Get the owner of the credential, and the organizations it can see (GET /v1/user/me) */
  'getMeV1': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: Me }
  /** Metrics for Prometheus (GET /metrics) */
  'getMetrics': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: GetMetricsResponse }
  /** Read the settings of mails to an organization’s members; always off (GET /v1/org/{orgId}/notification-settings) */
  'getNotificationSettingsOfOrgV1': { params: { orgId: string }; query: Record<never, never>; body: undefined; answer: NotificationSettings }
  /** Read the settings of the caller’s mails; always off (GET /v1/user/me/notification-settings) */
  'getNotificationSettingsV1': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: NotificationSettings }
  /** Read an organization (GET /rest/orgs/{org_id}) */
  'getOrg': { params: { org_id: string }; query: { expand?: ("tenant")[] | undefined }; body: undefined; answer: OrgWithTenantDocument }
  /** Read an install of an organization (GET /rest/orgs/{org_id}/apps/installs/{install_id}) */
  'getOrgAppInstall': { params: { org_id: string; install_id: string }; query: { expand?: ("app")[] | undefined }; body: undefined; answer: AppInstallDocument }
  /** Read a credential of an install of an organization (GET /rest/orgs/{org_id}/apps/installs/{install_id}/secrets/{secret_id}) */
  'getOrgAppInstallSecret': { params: { org_id: string; install_id: string; secret_id: string }; query: Record<never, never>; body: undefined; answer: CredentialDocument }
  /** Read an issue of a project (GET /rest/orgs/{org_id}/issues/{issue_id}) */
  'getOrgIssue': { params: { org_id: string; issue_id: string }; query: Record<never, never>; body: undefined; answer: IssueDocument }
  /** Read a membership of an organization (GET /rest/orgs/{org_id}/memberships/{membership_id}) */
  'getOrgMembership': { params: { org_id: string; membership_id: string }; query: Record<never, never>; body: undefined; answer: OrgMembershipDocument }
  /** Read the settings of the caller’s mails about an organization; always off (GET /v1/user/me/notification-settings/org/{orgId}) */
  'getOrgNotificationSettingsV1': { params: { orgId: string }; query: Record<never, never>; body: undefined; answer: NotificationSettings }
  /** Read a policy of an organization (GET /rest/orgs/{org_id}/policies/{policy_id}) */
  'getOrgPolicy': { params: { org_id: string; policy_id: string }; query: Record<never, never>; body: undefined; answer: IgnorePolicyDocument }
  /** Read a project (GET /rest/orgs/{org_id}/projects/{project_id}) */
  'getOrgProject': { params: { org_id: string; project_id: string }; query: { expand?: ("target")[] | undefined; 'meta.latest_issue_counts'?: boolean | undefined; 'meta.latest_dependency_total'?: boolean | undefined }; body: undefined; answer: ProjectDocument }
  /** Read the coverage of a project’s last test (GET /rest/orgs/{org_id}/projects/{project_id}/coverage) */
  'getOrgProjectCoverage': { params: { org_id: string; project_id: string }; query: Record<never, never>; body: undefined; answer: ProjectCoverageDocument }
  /** Read a project’s bill of materials (GET /rest/orgs/{org_id}/projects/{project_id}/sbom) */
  'getOrgProjectSbom': { params: { org_id: string; project_id: string }; query: { format?: "cyclonedx1.6+json" | "cyclonedx1.6+xml" | "cyclonedx1.5+json" | "cyclonedx1.5+xml" | "cyclonedx1.4+json" | "cyclonedx1.4+xml" | "spdx2.3+json" | "openvex0.2.0+json" | "sarif2.1.0+json" | undefined; exclude?: ("licenses")[] | undefined; 'go-module-level'?: boolean | undefined }; body: undefined; answer: SbomWithoutFormat }
  /** Read a service account of an organization (GET /rest/orgs/{org_id}/service_accounts/{serviceaccount_id}) */
  'getOrgServiceAccount': { params: { org_id: string; serviceaccount_id: string }; query: Record<never, never>; body: undefined; answer: ServiceAccountDocument }
  /** Read a credential of a service account of an organization (GET /rest/orgs/{org_id}/service_accounts/{serviceaccount_id}/secrets/{secret_id}) */
  'getOrgServiceAccountSecret': { params: { org_id: string; serviceaccount_id: string; secret_id: string }; query: Record<never, never>; body: undefined; answer: CredentialDocument }
  /** Read an organization’s settings (GET /v1/org/{orgId}/settings) */
  'getOrgSettingsV1': { params: { orgId: string }; query: Record<never, never>; body: undefined; answer: GetOrgSettingsV1Response }
  /** Read the history of open, new, fixed and ignored issues (GET /rest/orgs/{org_id}/trends) */
  'getOrgTrends': { params: { org_id: string }; query: { from?: string | undefined; to?: string | undefined; interval?: "day" | "week" | undefined }; body: undefined; answer: TrendsDocument }
  /** Read a target (GET /rest/orgs/{org_id}/targets/{target_id}) */
  'getOrgsTarget': { params: { org_id: string; target_id: string }; query: Record<never, never>; body: undefined; answer: AnyTargetDocument }
  /** List the targets of an organization (GET /rest/orgs/{org_id}/targets) */
  'getOrgsTargets': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; ids?: (string)[] | undefined; exclude_empty?: boolean | undefined; is_private?: boolean | undefined; url?: string | undefined; display_name?: string | undefined; source_types?: (string)[] | undefined; origins?: (string)[] | undefined; created_gte?: string | undefined; count?: boolean | undefined }; body: undefined; answer: GetOrgsTargetsResponse }
  /** Read the metadata of an API key of the caller (GET /rest/self/api_keys/{key_id}) */
  'getOwnApiKey': { params: { key_id: string }; query: Record<never, never>; body: undefined; answer: ApiKeyDocument }
  /** Read the resolved packages of a project, as of its last test (GET /v1/org/{orgId}/project/{projectId}/dep-graph) */
  'getProjectGraphV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: undefined; answer: GraphDocument }
  /** Read the settings of the caller’s mails about a project; always off (GET /v1/user/me/notification-settings/org/{orgId}/project/{projectId}) */
  'getProjectNotificationSettingsV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: undefined; answer: NotificationSettings }
  /** Read a project’s settings (GET /v1/org/{orgId}/project/{projectId}/settings) */
  'getProjectSettingsV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: undefined; answer: V1ProjectSettings }
  /** Read a project with its counts and remediation (GET /v1/org/{orgId}/project/{projectId}) */
  'getProjectV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: undefined; answer: V1Project }
  /** Check storage and advisories (GET /readyz) */
  'getReadiness': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: Readiness }
  /** Read a role (GET /rest/groups/{group_id}/roles/{role_id}) */
  'getRole': { params: { group_id: string; role_id: string }; query: Record<never, never>; body: undefined; answer: RoleDocument }
  /** Get the owner of the credential (GET /rest/self) */
  'getSelf': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: SelfDocument }
  /** Get the metadata of the authorization server (RFC 8414) (GET /.well-known/oauth-authorization-server) */
  'getServerMetadata': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: AuthorizationServerMetadata }
  /** Public keys of access tokens (RFC 7517) (GET /oauth2/jwks) */
  'getSigningKeys': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: GetSigningKeysResponse }
  /** Read the SLA policy of an organization (GET /rest/orgs/{org_id}/sla_policy) */
  'getSlaPolicy': { params: { org_id: string }; query: Record<never, never>; body: undefined; answer: SlaPolicyDocument }
  /** Get tokens for a code, a refresh token or client credentials (POST /oauth2/token) */
  'getToken': { params: Record<never, never>; query: Record<never, never>; body: TokenRequest; answer: TokenAnswer }
  /** Read assignee and due date of a vulnerability in a project or repository (GET /rest/orgs/{org_id}/triage/{place_id}/{issue_id}) */
  'getTriage': { params: { org_id: string; place_id: string; issue_id: string }; query: Record<never, never>; body: undefined; answer: IssueTriageDocument }
  /** Read a member of an organization or of its group (GET /rest/orgs/{org_id}/users/{id}) */
  'getUser': { params: { org_id: string; id: string }; query: Record<never, never>; body: undefined; answer: OrgUserDocument }
  /** Read a user whose account the group manages (GET /rest/groups/{group_id}/users/{user_id}) */
  'getUserOfGroup': { params: { group_id: string; user_id: string }; query: Record<never, never>; body: undefined; answer: UserDocument }
  /** Description of the REST operations that a version serves (GET /rest/openapi/{version}) */
  'getVersion': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: OpenApiDocument }
  /** Read a vulnerability (GET /rest/orgs/{org_id}/vulnerabilities/{id}) */
  'getVulnerability': { params: { org_id: string; id: string }; query: Record<never, never>; body: undefined; answer: PackageIssueDocument }
  /** Read a webhook (GET /rest/orgs/{org_id}/webhooks/{webhook_id}) */
  'getWebhook': { params: { org_id: string; webhook_id: string }; query: Record<never, never>; body: undefined; answer: WebhookDocument }
  /** Read a delivery with its body (GET /rest/orgs/{org_id}/webhooks/{webhook_id}/deliveries/{delivery_id}) */
  'getWebhookDelivery': { params: { org_id: string; webhook_id: string; delivery_id: string }; query: Record<never, never>; body: undefined; answer: DeliveryWithPayloadDocument }
  /** Import a target through an integration (POST /v1/org/{orgId}/integrations/{integrationId}/import) */
  'importTargetV1': { params: { orgId: string; integrationId: string }; query: Record<never, never>; body: V1NewImport; answer: ImportTargetV1Response }
  /** Introspect a token (RFC 7662) (POST /oauth2/introspect) */
  'introspectToken': { params: Record<never, never>; query: Record<never, never>; body: IntrospectTokenRequest; answer: Introspection }
  /** Add a user to an organization by email address (POST /v1/org/{orgId}/invite) */
  'inviteUserV1': { params: { orgId: string }; query: Record<never, never>; body: V1Invitation; answer: InviteUserV1Response }
  /** List the issues of a project’s last test (POST /v1/org/{orgId}/project/{projectId}/history/{snapshotId}/aggregated-issues) */
  'listAggregatedIssuesOfSnapshotV1': { params: { orgId: string; projectId: string; snapshotId: string }; query: Record<never, never>; body: ListAggregatedIssuesOfSnapshotV1Request; answer: AggregatedIssues }
  /** List a project’s issues, one entry per issue and package (POST /v1/org/{orgId}/project/{projectId}/aggregated-issues) */
  'listAggregatedIssuesV1': { params: { orgId: string; projectId: string }; query: { perPage?: number | undefined; page?: number | undefined }; body: ListAggregatedIssuesV1Request; answer: AggregatedIssues }
  /** List all projects of an organization (GET /v1/org/{orgId}/projects) */
  'listAllProjectsV1': { params: { orgId: string }; query: Record<never, never>; body: undefined; answer: V1Projects }
  /** List the bots of the apps installed in an organization (GET /rest/orgs/{org_id}/app_bots) */
  'listAppBots': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; expand?: ("app")[] | undefined }; body: undefined; answer: AppBotList }
  /** List the credentials of an app (GET /rest/orgs/{org_id}/apps/creations/{app_id}/secrets) */
  'listAppSecrets': { params: { org_id: string; app_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: CredentialList }
  /** List the apps of an organization (GET /rest/orgs/{org_id}/apps/creations) */
  'listApps': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: AppList }
  /** List the apps of an organization (GET /rest/orgs/{org_id}/apps) */
  'listAppsDeprecated': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: DeprecatedAppList }
  /** List the archives of an integration (GET /rest/orgs/{org_id}/integrations/{integration_id}/archives) */
  'listArchives': { params: { org_id: string; integration_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: ArchiveList }
  /** List the comments on a vulnerability in a project or repository (GET /rest/orgs/{org_id}/triage/{place_id}/{issue_id}/comments) */
  'listComments': { params: { org_id: string; place_id: string; issue_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: IssueCommentList }
  /** List the packages of an organization’s projects (POST /v1/org/{orgId}/dependencies) */
  'listDependenciesV1': { params: { orgId: string }; query: { perPage?: number | undefined; page?: number | undefined; sortBy?: "dependency" | "severity" | "projects" | undefined; order?: "asc" | "desc" | undefined }; body: ListDependenciesV1Request; answer: V1Dependencies }
  /** Read the entitlements of an organization (GET /v1/org/{orgId}/entitlements) */
  'listEntitlementsV1': { params: { orgId: string }; query: Record<never, never>; body: undefined; answer: ListEntitlementsV1Response }
  /** List the credentials of an install of a group (GET /rest/groups/{group_id}/apps/installs/{install_id}/secrets) */
  'listGroupAppInstallSecrets': { params: { group_id: string; install_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: CredentialList }
  /** List the apps installed in a group (GET /rest/groups/{group_id}/apps/installs) */
  'listGroupAppInstalls': { params: { group_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; expand?: ("app")[] | undefined }; body: undefined; answer: AppInstallList }
  /** Read the audit log of a group and all of its organizations (GET /rest/groups/{group_id}/audit_logs) */
  'listGroupAuditLogs': { params: { group_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; from?: string | undefined; to?: string | undefined; action?: string | undefined; actor_id?: string | undefined; target_id?: string | undefined; org_id?: string | undefined }; body: undefined; answer: AuditEventList }
  /** List the members of a group and of its organizations (GET /v1/group/{groupId}/members) */
  'listGroupMembersV1': { params: { groupId: string }; query: Record<never, never>; body: undefined; answer: V1GroupMembers }
  /** List the members of a group (GET /rest/groups/{group_id}/memberships) */
  'listGroupMemberships': { params: { group_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; user_id?: string | undefined; email?: string | undefined; username?: string | undefined; role_name?: string | undefined; sort_by?: "username" | "user_display_name" | "email" | "role_name" | undefined; sort_order?: "ASC" | "DESC" | undefined }; body: undefined; answer: GroupMembershipList }
  /** List the policies of a group (GET /rest/groups/{group_id}/policies) */
  'listGroupPolicies': { params: { group_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; inherited?: boolean | undefined; deleted?: boolean | undefined; source?: "user" | "vex" | undefined }; body: undefined; answer: IgnorePolicyList }
  /** List the roles of a group (GET /v1/group/{groupId}/roles) */
  'listGroupRolesV1': { params: { groupId: string }; query: Record<never, never>; body: undefined; answer: V1Roles }
  /** List the credentials of a service account of a group (GET /rest/groups/{group_id}/service_accounts/{serviceaccount_id}/secrets) */
  'listGroupServiceAccountSecrets': { params: { group_id: string; serviceaccount_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: CredentialList }
  /** List the service accounts of a group (GET /rest/groups/{group_id}/service_accounts) */
  'listGroupServiceAccounts': { params: { group_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: ServiceAccountList }
  /** List the tags of the projects of a group (GET /v1/group/{groupId}/tags) */
  'listGroupTagsV1': { params: { groupId: string }; query: { perPage?: number | undefined; page?: number | undefined }; body: undefined; answer: V1Tags }
  /** List the groups that the caller is a member of (GET /rest/groups) */
  'listGroups': { params: Record<never, never>; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: GroupList }
  /** List the ignores of all projects of an organization (GET /rest/orgs/{org_id}/ignores) */
  'listIgnores': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; state?: "active" | "stale" | "expired" | undefined; project_id?: string | undefined; source?: "user" | "repository" | undefined; issue_id?: string | undefined; count?: boolean | undefined }; body: undefined; answer: ListIgnoresResponse }
  /** List what is ignored in a project, by issue (GET /v1/org/{orgId}/project/{projectId}/ignores) */
  'listIgnoresV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: undefined; answer: IgnoresByIssue }
  /** List the manifests of an import (GET /rest/orgs/{org_id}/imports/{import_id}/manifests) */
  'listImportManifests': { params: { org_id: string; import_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; state?: "waiting" | "done" | "failed" | undefined }; body: undefined; answer: ImportManifestList }
  /** List the imports of an organization (GET /rest/orgs/{org_id}/imports) */
  'listImports': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; integration_id?: string | undefined; target_id?: string | undefined; state?: "pending" | "complete" | "failed" | "aborted" | undefined; cause?: "request" | "schedule" | undefined; created_after?: string | undefined; has_failed_manifests?: boolean | undefined; count?: boolean | undefined }; body: undefined; answer: ListImportsResponse }
  /** List the integrations of an organization (GET /rest/orgs/{org_id}/integrations) */
  'listIntegrations': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: IntegrationList }
  /** List the ids of an organization’s integrations by kind (GET /v1/org/{orgId}/integrations) */
  'listIntegrationsV1': { params: { orgId: string }; query: Record<never, never>; body: undefined; answer: V1Integrations }
  /** List issues by vulnerability, package or project (GET /rest/orgs/{org_id}/issue_groups) */
  'listIssueGroups': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; group_by?: "vulnerability" | "package" | "project" | undefined; effective_severity_level?: ("critical" | "high" | "medium" | "low")[] | undefined; exploited?: boolean | undefined; fixable?: boolean | undefined; ignored?: boolean | undefined; registry?: "npm" | "PyPI" | "RubyGems" | "Maven" | "Go" | "crates.io" | "Packagist" | "NuGet" | "Pub" | "Hex" | "SwiftURL" | "CocoaPods" | "GitHub Actions" | "ConanCenter" | "vcpkg" | "Hackage" | "CRAN" | "Julia" | undefined; query?: string | undefined; created_after?: string | undefined; id?: string | undefined; package?: string | undefined; overdue?: true | undefined; assignee?: string | undefined; sort?: "-priority" | "-severity" | "-projects" | "-known" | "known" | undefined; 'meta.totals'?: boolean | undefined }; body: undefined; answer: IssueGroupList }
  /** List the dependency paths to an issue of a project’s last test (GET /v1/org/{orgId}/project/{projectId}/history/{snapshotId}/issue/{issueId}/paths) */
  'listIssuePathsOfSnapshotV1': { params: { orgId: string; projectId: string; snapshotId: string; issueId: string }; query: { perPage?: number | undefined; page?: number | undefined }; body: undefined; answer: IssuePaths }
  /** List the dependency paths to an issue, the shortest first (GET /v1/org/{orgId}/project/{projectId}/issue/{issueId}/paths) */
  'listIssuePathsV1': { params: { orgId: string; projectId: string; issueId: string }; query: { snapshotId?: string | undefined; perPage?: number | undefined; page?: number | undefined }; body: undefined; answer: IssuePaths }
  /** List the issues of package versions (POST /rest/orgs/{org_id}/packages/issues) */
  'listIssuesOfPackages': { params: { org_id: string }; query: Record<never, never>; body: PurlsInput; answer: PackageIssues }
  /** List a project’s issues with each of their paths (POST /v1/org/{orgId}/project/{projectId}/issues) */
  'listIssuesV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: ListIssuesV1Request; answer: OldIssues }
  /** List the tickets of a project’s issues; always empty (GET /v1/org/{orgId}/project/{projectId}/jira-issues) */
  'listJiraIssuesV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: undefined; answer: ListJiraIssuesV1Response }
  /** List the licenses of the packages of an organization’s projects (POST /v1/org/{orgId}/licenses) */
  'listLicensesV1': { params: { orgId: string }; query: { sortBy?: "license" | "dependencies" | "projects" | "severity" | undefined; order?: "asc" | "desc" | undefined }; body: ListLicensesV1Request; answer: V1Licenses }
  /** List the vulnerabilities of a published npm package (GET /v1/vuln/npm/{package}) */
  'listNpmPackageVulnerabilities': { params: { package: string }; query: { org?: string | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: undefined; answer: ListNpmPackageVulnerabilitiesResponse }
  /** List the credentials of an install of an organization (GET /rest/orgs/{org_id}/apps/installs/{install_id}/secrets) */
  'listOrgAppInstallSecrets': { params: { org_id: string; install_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: CredentialList }
  /** List the apps installed in an organization (GET /rest/orgs/{org_id}/apps/installs) */
  'listOrgAppInstalls': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; expand?: ("app")[] | undefined }; body: undefined; answer: AppInstallList }
  /** Read the audit log of an organization (GET /rest/orgs/{org_id}/audit_logs) */
  'listOrgAuditLogs': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; from?: string | undefined; to?: string | undefined; action?: string | undefined; actor_id?: string | undefined; target_id?: string | undefined }; body: undefined; answer: AuditEventList }
  /** List the issues of an organization’s projects (GET /rest/orgs/{org_id}/issues) */
  'listOrgIssues': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; 'scan_item.id'?: string | undefined; 'scan_item.type'?: "project" | "environment" | undefined; type?: "package_vulnerability" | "license" | undefined; effective_severity_level?: ("info" | "critical" | "high" | "medium" | "low")[] | undefined; status?: ("open" | "resolved")[] | undefined; ignored?: boolean | undefined; key?: string | undefined; package?: string | undefined; created_after?: string | undefined; created_before?: string | undefined; updated_after?: string | undefined; updated_before?: string | undefined; overdue?: true | undefined; assignee?: string | undefined; sort?: "-priority" | "-severity" | "severity" | "-known" | "known" | undefined }; body: undefined; answer: IssueList }
  /** List the members of an organization (GET /v1/org/{orgId}/members) */
  'listOrgMembersV1': { params: { orgId: string }; query: { includeGroupAdmins?: boolean | undefined }; body: undefined; answer: V1Members }
  /** List the members of an organization (GET /rest/orgs/{org_id}/memberships) */
  'listOrgMemberships': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; user_id?: string | undefined; email?: string | undefined; username?: string | undefined; role_name?: string | undefined; sort_by?: "username" | "user_display_name" | "email" | "role" | undefined; sort_order?: "ASC" | "DESC" | undefined }; body: undefined; answer: OrgMembershipList }
  /** List the policies of an organization (GET /rest/orgs/{org_id}/policies) */
  'listOrgPolicies': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; inherited?: boolean | undefined; deleted?: boolean | undefined; source?: "user" | "vex" | undefined }; body: undefined; answer: IgnorePolicyList }
  /** List the projects of an organization (GET /rest/orgs/{org_id}/projects) */
  'listOrgProjects': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; ids?: (string)[] | undefined; target_id?: (string)[] | undefined; target_reference?: string | undefined; target_file?: string | undefined; target_runtime?: string | undefined; names?: (string)[] | undefined; names_start_with?: (string)[] | undefined; name?: string | undefined; origins?: (string)[] | undefined; types?: (string)[] | undefined; status?: "active" | "inactive" | undefined; importing_user_public_id?: (string)[] | undefined; tags?: (string)[] | undefined; business_criticality?: ("critical" | "high" | "medium" | "low")[] | undefined; environment?: ("frontend" | "backend" | "internal" | "external" | "mobile" | "saas" | "onprem" | "hosted" | "distributed")[] | undefined; lifecycle?: ("production" | "development" | "sandbox")[] | undefined; cli_monitored_before?: string | undefined; cli_monitored_after?: string | undefined; expand?: ("target")[] | undefined; 'meta.latest_issue_counts'?: boolean | undefined; 'meta.latest_dependency_total'?: boolean | undefined; sort?: "created" | "-created" | "name" | "-name" | undefined; meta_count?: "only" | undefined }; body: undefined; answer: ListOrgProjectsResponse }
  /** List the credentials of a service account of an organization (GET /rest/orgs/{org_id}/service_accounts/{serviceaccount_id}/secrets) */
  'listOrgServiceAccountSecrets': { params: { org_id: string; serviceaccount_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: CredentialList }
  /** List the service accounts of an organization (GET /rest/orgs/{org_id}/service_accounts) */
  'listOrgServiceAccounts': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: ServiceAccountList }
  /** List the organizations that the caller can see (GET /rest/orgs) */
  'listOrgs': { params: Record<never, never>; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; group_id?: string | undefined; is_personal?: boolean | undefined; slug?: string | undefined; name?: string | undefined; expand?: ("member_role")[] | undefined }; body: undefined; answer: OrgWithRoleList }
  /** List the organizations of a group (GET /rest/groups/{group_id}/orgs) */
  'listOrgsInGroup': { params: { group_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; slug?: string | undefined; name?: string | undefined }; body: undefined; answer: OrgList }
  /** List the organizations of a group, page by page (GET /v1/group/{groupId}/orgs) */
  'listOrgsInGroupV1': { params: { groupId: string }; query: { perPage?: number | undefined; page?: number | undefined; name?: string | undefined }; body: undefined; answer: V1GroupOrgs }
  /** List the organizations that the caller can see (GET /v1/orgs) */
  'listOrgsV1': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: V1Orgs }
  /** List the caller’s API keys (GET /rest/self/api_keys) */
  'listOwnApiKeys': { params: Record<never, never>; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: ApiKeyList }
  /** List the issues of a package version (GET /rest/orgs/{org_id}/packages/{purl}/issues) */
  'listPackageIssues': { params: { org_id: string; purl: string }; query: { offset?: number | undefined; limit?: number | undefined }; body: undefined; answer: PackageIssues }
  /** List the tests of a project, the latest first (POST /v1/org/{orgId}/project/{projectId}/history) */
  'listProjectSnapshotsV1': { params: { orgId: string; projectId: string }; query: { perPage?: number | undefined; page?: number | undefined }; body: ListProjectSnapshotsV1Request; answer: V1ProjectHistory }
  /** List the projects of an organization that match filters (POST /v1/org/{orgId}/projects) */
  'listProjectsV1': { params: { orgId: string }; query: Record<never, never>; body: ListProjectsV1Request; answer: V1Projects }
  /** List the built-in roles and the custom roles of a group (GET /rest/groups/{group_id}/roles) */
  'listRoles': { params: { group_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: RoleList }
  /** List the places in which the calling user authorized apps (GET /rest/self/apps/installs) */
  'listSelfAppInstalls': { params: Record<never, never>; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; expand?: ("app")[] | undefined }; body: undefined; answer: OwnInstallList }
  /** List the sessions of an app that acts for the calling user (GET /rest/self/apps/{app_id}/sessions) */
  'listSelfAppSessions': { params: { app_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: AppSessionList }
  /** List the apps that may act for the calling user (GET /rest/self/apps) */
  'listSelfApps': { params: Record<never, never>; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: AppSummaryList }
  /** List the API keys of a user of the group (GET /rest/groups/{group_id}/users/{user_id}/api_keys) */
  'listUserApiKeys': { params: { group_id: string; user_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: ApiKeyList }
  /** List the identities with which a user of the group signs in by single sign-on (GET /rest/groups/{group_id}/users/{user_id}/identities) */
  'listUserIdentities': { params: { group_id: string; user_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: IdentityList }
  /** List the users whose accounts the group manages (GET /rest/groups/{group_id}/users) */
  'listUsers': { params: { group_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; email?: string | undefined; name?: string | undefined; q?: string | undefined }; body: undefined; answer: UserList }
  /** Versions in which an operation was released (GET /rest/openapi) */
  'listVersions': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: ListVersionsResponse }
  /** Read the log of a webhook’s deliveries (GET /rest/orgs/{org_id}/webhooks/{webhook_id}/deliveries) */
  'listWebhookDeliveries': { params: { org_id: string; webhook_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined; state?: "waiting" | "delivered" | "failed" | undefined }; body: undefined; answer: DeliveryList }
  /** List the webhooks of an organization (GET /rest/orgs/{org_id}/webhooks) */
  'listWebhooks': { params: { org_id: string }; query: { starting_after?: string | undefined; ending_before?: string | undefined; limit?: number | undefined }; body: undefined; answer: WebhookList }
  /** List the webhooks of an organization (GET /v1/org/{orgId}/webhooks) */
  'listWebhooksV1': { params: { orgId: string }; query: Record<never, never>; body: undefined; answer: V1Webhooks }
  /** Create, replace or delete client secrets of an app (POST /rest/orgs/{org_id}/apps/creations/{app_id}/secrets) */
  'manageAppSecrets': { params: { org_id: string; app_id: string }; query: Record<never, never>; body: AppSecrets; answer: AppDocument }
  /** Create, replace or delete client secrets of an app (POST /rest/orgs/{org_id}/apps/{client_id}/secrets) */
  'manageAppSecretsDeprecated': { params: { org_id: string; client_id: string }; query: Record<never, never>; body: ManageAppSecretsDeprecatedRequest; answer: DeprecatedAppDocument }
  /** Create, replace or delete client secrets of an install of a group (POST /rest/groups/{group_id}/apps/installs/{install_id}/secrets) */
  'manageGroupAppInstallSecrets': { params: { group_id: string; install_id: string }; query: Record<never, never>; body: InstallSecrets; answer: AppInstallDocument }
  /** Create, replace or delete client secrets of a service account of a group (POST /rest/groups/{group_id}/service_accounts/{serviceaccount_id}/secrets) */
  'manageGroupServiceAccountSecrets': { params: { group_id: string; serviceaccount_id: string }; query: Record<never, never>; body: ServiceAccountSecrets; answer: ServiceAccountDocument }
  /** Create, replace or delete client secrets of an install of an organization (POST /rest/orgs/{org_id}/apps/installs/{install_id}/secrets) */
  'manageOrgAppInstallSecrets': { params: { org_id: string; install_id: string }; query: Record<never, never>; body: InstallSecrets; answer: AppInstallDocument }
  /** Create, replace or delete client secrets of a service account of an organization (POST /rest/orgs/{org_id}/service_accounts/{serviceaccount_id}/secrets) */
  'manageOrgServiceAccountSecrets': { params: { org_id: string; serviceaccount_id: string }; query: Record<never, never>; body: ServiceAccountSecrets; answer: ServiceAccountDocument }
  /** Check if clients may use local ignores (GET /v1/authorization/cliIgnore) */
  'mayIgnoreLocallyV1': { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: MayIgnoreLocallyV1Response }
  /** Store a bill of materials as a project (POST /v1/monitor/sbom) */
  'monitorBill': { params: Record<never, never>; query: { org?: string | undefined; name?: string | undefined }; body: undefined; answer: Monitored }
  /** Store a dependency graph as a project (POST /v1/monitor/dep-graph) */
  'monitorDepGraph': { params: Record<never, never>; query: { org?: string | undefined; 'prune-dep-graph'?: boolean | undefined }; body: MonitoredGraph; answer: Monitored }
  /** Store a dependency graph as a project, in the format of command-line clients (PUT /v1/monitor/{packageManager}/graph) */
  'monitorGraphOfClient': { params: { packageManager: string }; query: { org?: string | undefined; 'prune-dep-graph'?: boolean | undefined }; body: ClientMonitoring; answer: ClientMonitored }
  /** Move a project to another organization (PUT /v1/org/{orgId}/project/{projectId}/move) */
  'moveProjectV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: MoveProjectV1Request; answer: MoveProjectV1Response }
  /** Send an event again, whatever the state of its delivery (POST /rest/orgs/{org_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver) */
  'redeliverWebhookDelivery': { params: { org_id: string; webhook_id: string; delivery_id: string }; query: Record<never, never>; body: undefined; answer: DeliveryDocument }
  /** Remove a tag from a project (POST /v1/org/{orgId}/project/{projectId}/tags/remove) */
  'removeProjectTagV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: TagBody; answer: V1Tags }
  /** Replace how an issue of a project is ignored (PUT /v1/org/{orgId}/project/{projectId}/ignore/{issueId}) */
  'replaceIgnoresV1': { params: { orgId: string; projectId: string; issueId: string }; query: Record<never, never>; body: ReplaceIgnoresV1Request; answer: IgnoreEntries }
  /** Replace the signing secret of a webhook (POST /rest/orgs/{org_id}/webhooks/{webhook_id}/secrets) */
  'replaceWebhookSecret': { params: { org_id: string; webhook_id: string }; query: Record<never, never>; body: NewWebhookSecret; answer: WebhookDocument }
  /** Revoke exposed credentials (POST /rest/exposed_credentials) */
  'reportExposedCredentials': { params: Record<never, never>; query: Record<never, never>; body: NewExposureReport; answer: ExposureReportDocument }
  /** Reset a project to the default settings (DELETE /v1/org/{orgId}/project/{projectId}/settings) */
  'resetProjectSettingsV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Restore a deleted policy of a group (POST /rest/groups/{group_id}/policies/{policy_id}/restore) */
  'restoreGroupPolicy': { params: { group_id: string; policy_id: string }; query: Record<never, never>; body: undefined; answer: IgnorePolicyDocument }
  /** Restore a deleted policy of an organization (POST /rest/orgs/{org_id}/policies/{policy_id}/restore) */
  'restoreOrgPolicy': { params: { org_id: string; policy_id: string }; query: Record<never, never>; body: undefined; answer: IgnorePolicyDocument }
  /** Revoke a token (RFC 7009) (POST /oauth2/revoke) */
  'revokeToken': { params: Record<never, never>; query: Record<never, never>; body: RevokeTokenRequest; answer: undefined }
  /** Search an organization (GET /rest/orgs/{org_id}/search) */
  'searchOrg': { params: { org_id: string }; query: { query?: string | undefined; kinds?: ("vulnerability" | "package" | "project" | "app" | "service_account" | "member")[] | undefined; limit?: number | undefined }; body: undefined; answer: SearchOrgResponse }
  /** Upload an archive for import (POST /rest/orgs/{org_id}/integrations/{integration_id}/archives) */
  'sendArchive': { params: { org_id: string; integration_id: string }; query: { name?: string | undefined }; body: undefined; answer: ArchiveDocument }
  /** Set the criticality, environment and lifecycle of a project (POST /v1/org/{orgId}/project/{projectId}/attributes) */
  'setProjectAttributesV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: SetProjectAttributesV1Request; answer: SetProjectAttributesV1Response }
  /** Follow the progress of an import (GET /rest/orgs/{org_id}/imports/{import_id}/events) */
  'streamImportEvents': { params: { org_id: string; import_id: string }; query: Record<never, never>; body: undefined; answer: StreamImportEventsResponse }
  /** Test a bun project by its manifest and lockfile (POST /v1/test/bun) */
  'testBun': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a cargo project by its manifest and lockfile (POST /v1/test/cargo) */
  'testCargo': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a cocoapods project by its manifest and lockfile (POST /v1/test/cocoapods) */
  'testCocoapods': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a composer project by its manifest and lockfile (POST /v1/test/composer) */
  'testComposer': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a conan project by its manifest and lockfile (POST /v1/test/conan) */
  'testConan': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a dependency graph that the client resolved (POST /v1/test/dep-graph) */
  'testDepGraph': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: DepGraphRequest; answer: DepGraphResult }
  /** Test a dependency graph in the format of command-line clients (POST /v1/test-dep-graph) */
  'testDepGraphOfClient': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: DepGraphRequest; answer: AffectedPackagesResult }
  /** Test every project in several files (POST /v1/test/files) */
  'testFiles': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined; repository?: (string)[] | undefined; pythonVersion?: string | undefined; pythonPlatform?: "linux" | "macos" | "windows" | undefined; standardLibrary?: boolean | undefined; exclude?: string | undefined; file?: (string)[] | undefined; folder?: string | undefined; after?: string | undefined; bill?: boolean | undefined; relock?: boolean | undefined; renew?: (string)[] | undefined; packageManager?: "npm" | "yarn" | "pnpm" | "bun" | "gomodules" | "govendor" | "maven" | "gradle" | "rubygems" | "pip" | "poetry" | "uv" | "pipenv" | "pyproject" | "sbt" | "cargo" | "githubactions" | "composer" | "pub" | "hex" | "conan" | "renv" | "swift" | "cocoapods" | "haskell" | "nuget" | "sbom" | undefined }; body: TreeRequest; answer: TreeResult }
  /** Test a githubactions project by its manifest and lockfile (POST /v1/test/githubactions) */
  'testGithubactions': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a gomodules project by its manifest and lockfile (POST /v1/test/gomodules) */
  'testGomodules': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined; standardLibrary?: boolean | undefined }; body: TestRequest; answer: TestResult }
  /** Test a govendor project by its manifest and lockfile (POST /v1/test/govendor) */
  'testGovendor': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a gradle project by its manifest and lockfile (POST /v1/test/gradle) */
  'testGradle': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined; repository?: (string)[] | undefined }; body: TestRequest; answer: TestResult }
  /** Test a published gradle package (GET /v1/test/gradle/{group}/{name}/{version}) */
  'testGradlePackage': { params: { group: string; name: string }; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined; repository?: (string)[] | undefined }; body: undefined; answer: TestResult }
  /** Test a haskell project by its manifest and lockfile (POST /v1/test/haskell) */
  'testHaskell': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a hex project by its manifest and lockfile (POST /v1/test/hex) */
  'testHex': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Test the connection of an integration, or look for a target (POST /rest/orgs/{org_id}/integrations/{integration_id}/test) */
  'testIntegration': { params: { org_id: string; integration_id: string }; query: Record<never, never>; body: NewConnectionTest; answer: ConnectionTestDocument }
  /** Test a maven project by its manifest and lockfile (POST /v1/test/maven) */
  'testMaven': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined; repository?: (string)[] | undefined }; body: TestRequest; answer: TestResult }
  /** Test a published maven package (GET /v1/test/maven/{groupId}/{artifactId}/{version}) */
  'testMavenPackage': { params: { groupId: string; artifactId: string }; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined; repository?: (string)[] | undefined }; body: undefined; answer: TestResult }
  /** Test a npm project by its manifest and lockfile (POST /v1/test/npm) */
  'testNpm': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a published npm package (GET /v1/test/npm/{packageName}/{version}) */
  'testNpmPackage': { params: { packageName: string }; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: undefined; answer: TestResult }
  /** Test a nuget project by its manifest and lockfile (POST /v1/test/nuget) */
  'testNuget': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Request a retest of a project (POST /rest/orgs/{org_id}/projects/{project_id}/tests) */
  'testOrgProject': { params: { org_id: string; project_id: string }; query: Record<never, never>; body: undefined; answer: undefined }
  /** Test a pip project by its manifest and lockfile (POST /v1/test/pip) */
  'testPip': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined; pythonVersion?: string | undefined; pythonPlatform?: "linux" | "macos" | "windows" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a published pip package (GET /v1/test/pip/{packageName}/{version}) */
  'testPipPackage': { params: { packageName: string }; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined; pythonVersion?: string | undefined; pythonPlatform?: "linux" | "macos" | "windows" | undefined }; body: undefined; answer: TestResult }
  /** Test a pipenv project by its manifest and lockfile (POST /v1/test/pipenv) */
  'testPipenv': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined; pythonVersion?: string | undefined; pythonPlatform?: "linux" | "macos" | "windows" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a pnpm project by its manifest and lockfile (POST /v1/test/pnpm) */
  'testPnpm': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a poetry project by its manifest and lockfile (POST /v1/test/poetry) */
  'testPoetry': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined; pythonVersion?: string | undefined; pythonPlatform?: "linux" | "macos" | "windows" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a pub project by its manifest and lockfile (POST /v1/test/pub) */
  'testPub': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a pyproject project by its manifest and lockfile (POST /v1/test/pyproject) */
  'testPyproject': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined; pythonVersion?: string | undefined; pythonPlatform?: "linux" | "macos" | "windows" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a renv project by its manifest and lockfile (POST /v1/test/renv) */
  'testRenv': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a rubygems project by its manifest and lockfile (POST /v1/test/rubygems) */
  'testRubygems': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a published rubygems package (GET /v1/test/rubygems/{gemName}/{version}) */
  'testRubygemsPackage': { params: { gemName: string }; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: undefined; answer: TestResult }
  /** Test a sbom project by its manifest and lockfile (POST /v1/test/sbom) */
  'testSbom': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a sbt project by its manifest and lockfile (POST /v1/test/sbt) */
  'testSbt': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined; repository?: (string)[] | undefined }; body: TestRequest; answer: TestResult }
  /** Test a published sbt package (GET /v1/test/sbt/{groupId}/{artifactId}/{version}) */
  'testSbtPackage': { params: { groupId: string; artifactId: string }; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined; repository?: (string)[] | undefined }; body: undefined; answer: TestResult }
  /** Test a swift project by its manifest and lockfile (POST /v1/test/swift) */
  'testSwift': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Test a uv project by its manifest and lockfile (POST /v1/test/uv) */
  'testUv': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined; pythonVersion?: string | undefined; pythonPlatform?: "linux" | "macos" | "windows" | undefined }; body: TestRequest; answer: TestResult }
  /** Send a test message to a webhook and return the response (POST /rest/orgs/{org_id}/webhooks/{webhook_id}/test) */
  'testWebhook': { params: { org_id: string; webhook_id: string }; query: Record<never, never>; body: undefined; answer: DeliveryWithPayloadDocument }
  /** Test a yarn project by its manifest and lockfile (POST /v1/test/yarn) */
  'testYarn': { params: Record<never, never>; query: { org?: string | undefined; acceptPartial?: boolean | undefined; includeDev?: boolean | undefined; severityThreshold?: "low" | "medium" | "high" | "critical" | undefined }; body: TestRequest; answer: TestResult }
  /** Change the name, the redirect URIs or the token lifetime of an app (PATCH /rest/orgs/{org_id}/apps/creations/{app_id}) */
  'updateApp': { params: { org_id: string; app_id: string }; query: Record<never, never>; body: ChangedApp; answer: AppDocument }
  /** Change the name, the redirect URIs or the token lifetime of an app (PATCH /rest/orgs/{org_id}/apps/{client_id}) */
  'updateAppDeprecated': { params: { org_id: string; client_id: string }; query: Record<never, never>; body: UpdateAppDeprecatedRequest; answer: DeprecatedAppDocument }
  /** Edit one’s own comment on a vulnerability (PATCH /rest/orgs/{org_id}/issue_comments/{comment_id}) */
  'updateComment': { params: { org_id: string; comment_id: string }; query: Record<never, never>; body: ChangedIssueComment; answer: IssueCommentDocument }
  /** Give a member of a group another role (PATCH /rest/groups/{group_id}/memberships/{membership_id}) */
  'updateGroupMembership': { params: { group_id: string; membership_id: string }; query: Record<never, never>; body: GroupChangedMembership; answer: undefined }
  /** Change a policy of a group (PATCH /rest/groups/{group_id}/policies/{policy_id}) */
  'updateGroupPolicy': { params: { group_id: string; policy_id: string }; query: Record<never, never>; body: ChangedPolicy; answer: IgnorePolicyDocument }
  /** Rename a service account of a group (PATCH /rest/groups/{group_id}/service_accounts/{serviceaccount_id}) */
  'updateGroupServiceAccount': { params: { group_id: string; serviceaccount_id: string }; query: Record<never, never>; body: RenamedServiceAccount; answer: ServiceAccountDocument }
  /** Change an integration, or replace its credentials (PATCH /rest/orgs/{org_id}/integrations/{integration_id}) */
  'updateIntegration': { params: { org_id: string; integration_id: string }; query: Record<never, never>; body: ChangedIntegration; answer: IntegrationDocument }
  /** Confirm the settings of an integration, which are fixed (PUT /v1/org/{orgId}/integrations/{integrationId}/settings) */
  'updateIntegrationSettingsV1': { params: { orgId: string; integrationId: string }; query: Record<never, never>; body: V1IntegrationSettings; answer: V1IntegrationSettings }
  /** Replace the credentials of an integration (PUT /v1/org/{orgId}/integrations/{integrationId}) */
  'updateIntegrationV1': { params: { orgId: string; integrationId: string }; query: Record<never, never>; body: V1Integration; answer: V1IntegrationId }
  /** Change the license policy of an organization (PATCH /rest/orgs/{org_id}/license_policy) */
  'updateLicensePolicy': { params: { org_id: string }; query: Record<never, never>; body: ChangedLicensePolicy; answer: PolicyDocument }
  /** Turn off mails to an organization’s members; they are always off (PUT /v1/org/{orgId}/notification-settings) */
  'updateNotificationSettingsOfOrgV1': { params: { orgId: string }; query: Record<never, never>; body: ChangedNotifications; answer: NotificationSettings }
  /** Turn off the caller’s mails; they are always off (PUT /v1/user/me/notification-settings) */
  'updateNotificationSettingsV1': { params: Record<never, never>; query: Record<never, never>; body: ChangedNotifications; answer: NotificationSettings }
  /** Rename an organization; its slug stays (PATCH /rest/orgs/{org_id}) */
  'updateOrg': { params: { org_id: string }; query: Record<never, never>; body: ChangedOrg; answer: OrgDocument }
  /** Give a member of an organization another role (PATCH /rest/orgs/{org_id}/memberships/{membership_id}) */
  'updateOrgMembership': { params: { org_id: string; membership_id: string }; query: Record<never, never>; body: OrgChangedMembership; answer: undefined }
  /** Turn off the caller’s mails about an organization; they are always off (PUT /v1/user/me/notification-settings/org/{orgId}) */
  'updateOrgNotificationSettingsV1': { params: { orgId: string }; query: Record<never, never>; body: ChangedNotifications; answer: NotificationSettings }
  /** Change a policy of an organization (PATCH /rest/orgs/{org_id}/policies/{policy_id}) */
  'updateOrgPolicy': { params: { org_id: string; policy_id: string }; query: Record<never, never>; body: ChangedPolicy; answer: IgnorePolicyDocument }
  /** Change a project’s labels, owner or test frequency (PATCH /rest/orgs/{org_id}/projects/{project_id}) */
  'updateOrgProject': { params: { org_id: string; project_id: string }; query: { expand?: ("target")[] | undefined }; body: ChangedProject; answer: ProjectDocument }
  /** Rename a service account of an organization (PATCH /rest/orgs/{org_id}/service_accounts/{serviceaccount_id}) */
  'updateOrgServiceAccount': { params: { org_id: string; serviceaccount_id: string }; query: Record<never, never>; body: RenamedServiceAccount; answer: ServiceAccountDocument }
  /** Change an organization’s settings (PUT /v1/org/{orgId}/settings) */
  'updateOrgSettingsV1': { params: { orgId: string }; query: Record<never, never>; body: UpdateOrgSettingsV1Request; answer: UpdateOrgSettingsV1Response }
  /** Turn off the caller’s mails about a project; they are always off (PUT /v1/user/me/notification-settings/org/{orgId}/project/{projectId}) */
  'updateProjectNotificationSettingsV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: ChangedNotifications; answer: NotificationSettings }
  /** Change a project’s settings (PUT /v1/org/{orgId}/project/{projectId}/settings) */
  'updateProjectSettingsV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: V1ProjectSettings; answer: V1ProjectSettings }
  /** Change a project’s owner or branch (PUT /v1/org/{orgId}/project/{projectId}) */
  'updateProjectV1': { params: { orgId: string; projectId: string }; query: Record<never, never>; body: ChangedV1Project; answer: V1Project }
  /** Change a custom role; its members get the new permissions immediately (PATCH /rest/groups/{group_id}/roles/{role_id}) */
  'updateRole': { params: { group_id: string; role_id: string }; query: Record<never, never>; body: ChangedRole; answer: RoleDocument }
  /** Change the SLA policy of an organization (PATCH /rest/orgs/{org_id}/sla_policy) */
  'updateSlaPolicy': { params: { org_id: string }; query: Record<never, never>; body: ChangedSlaPolicy; answer: SlaPolicyDocument }
  /** Set assignee and due date of a vulnerability in a project or repository (PATCH /rest/orgs/{org_id}/triage/{place_id}/{issue_id}) */
  'updateTriage': { params: { org_id: string; place_id: string; issue_id: string }; query: Record<never, never>; body: ChangedIssueTriage; answer: IssueTriageDocument }
  /** Rename a user or set a new password (PATCH /rest/groups/{group_id}/users/{user_id}) */
  'updateUserOfGroup': { params: { group_id: string; user_id: string }; query: Record<never, never>; body: ChangedUser; answer: UserDocument }
  /** Change, disable or enable a webhook (PATCH /rest/orgs/{org_id}/webhooks/{webhook_id}) */
  'updateWebhook': { params: { org_id: string; webhook_id: string }; query: Record<never, never>; body: ChangedWebhook; answer: WebhookDocument }
  /** Upload a VEX document for a group (POST /rest/groups/{group_id}/vex_documents) */
  'uploadGroupVex': { params: { group_id: string }; query: Record<never, never>; body: VexInput; answer: VexAnswer }
  /** Upload a VEX document for an organization (POST /rest/orgs/{org_id}/vex_documents) */
  'uploadOrgVex': { params: { org_id: string }; query: Record<never, never>; body: VexInput; answer: VexAnswer }
  /** Check a key (POST /v1/verify/token) */
  'verifyTokenV1': { params: Record<never, never>; query: Record<never, never>; body: VerifyTokenV1Request; answer: VerifyTokenV1Response }
}
