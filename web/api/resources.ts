import type { Answer, Body, Data, Id, Query } from './client.ts'

/** The attributes in the body of an operation. */
type Attributes<I extends Id> =
  Body<I> extends { readonly data: { readonly attributes?: infer A } } ? NonNullable<A> : never

export type ApiKey = Data<'createOwnApiKey'>
export type ApiKeyInput = Attributes<'createOwnApiKey'>

export type App = Data<'getApp'>
export type AppInput = Attributes<'createApp'>
export type Scope = AppInput['scopes'][number]
export type ServerMetadata = Answer<'getServerMetadata'>
export type Install = Data<'getOrgAppInstall'>
export type CreatedInstall = Data<'createOrgAppInstall'>
export type OwnApp = Data<'listSelfApps'>[number]
export type OwnInstall = Data<'listSelfAppInstalls'>[number]
/** The visible data of a key or a client secret. */
export type Credential = Data<'listAppSecrets'>[number]
export type ServiceAccount = Data<'getOrgServiceAccount'>
export type ServiceAccountInput = Attributes<'createOrgServiceAccount'>
export type AuthType = ServiceAccountInput['auth_type']

export type Org = Data<'getOrg'>
export type Group = Data<'listGroups'>[number]
export type NewOrgInput = Body<'createOrgV1'>
export type PlaceCounts = Answer<'getCounts'>
export type Member = Data<'listOrgMemberships'>[number] | Data<'listGroupMemberships'>[number]
export type User = Data<'listUsers'>[number]
export type Identity = Data<'listUserIdentities'>[number]
export type Role = Data<'getRole'>
export type RoleInput = Required<Attributes<'createRole'>>

export type SignInWay = Answer<'findSignInWay'>
/** The step after a correct password: verifying a second factor, or setting up the first one. */
export type SecondStep = Extract<Answer<'beginSession'>, { readonly step: unknown }>
/** A new session. */
export type Begun = Answer<'sendCode'>
/** The answer to a new factor; with a session's id if it completed a sign-in. */
export type Added = Answer<'addAppFactor'>
export type AppOffer = Answer<'offerAppFactor'>
export type Factors = Answer<'listFactors'>
export type Factor = Factors['factors'][number]
/** A group's rules for the sign-in of its members. */
export type GroupSecurity = Answer<'getSignInRules'>
export type SingleSignOn = Answer<'getSingleSignOn'>
export type Provider = SingleSignOn['providers'][number]
export type ProviderInput = Body<'saveProvider'>
export type RoleMapping = ProviderInput['roles'][number]
export type Administrator = SingleSignOn['administrators'][number]
export type DisabledUser = SingleSignOn['disabled_users'][number]

/** Open issues every third day of the last 90 days, the oldest first, by id. */
export type Sparklines = Answer<'getSparklines'>['open']
/** Exact totals of an organization. */
export type OrgOverview = Answer<'getOverview'>
/** The last sync of advisories that this server ran. */
export type AdvisorySync = Answer<'getAdvisorySync'>
export type Repository = OrgOverview['worst_repositories'][number]
export type OrgUpgrade = OrgOverview['upgrades'][number]
export type NewlyExploited = OrgOverview['newly_exploited'][number]
/** A repository, or another origin of projects, with sums over its projects. */
export type ListedRepository = NonNullable<Data<'listRepositories'>[number]>
export type Hit = Data<'searchOrg'>[number]
export type HitKind = Hit['type']

export type Project = Data<'getOrgProject'>
export type ProjectQuery = Query<'listOrgProjects'>
export type ProjectSort = NonNullable<ProjectQuery['sort']>
export type ProjectChange = Attributes<'updateOrgProject'>
export type Tag = Project['attributes']['tags'][number]
export type Labels = Required<Body<'setProjectAttributesV1'>>
export type DepGraph = Answer<'getProjectGraphV1'>['depGraph']
export type ProjectIssue = Answer<'listAggregatedIssuesV1'>['issues'][number]
export type IssuePaths = Answer<'listIssuePathsV1'>
export type IssuePath = IssuePaths['paths'][number]

export type IssueQuery = Query<'listOrgIssues'>
export type IssueSort = NonNullable<IssueQuery['sort']>
export type GroupQuery = Query<'listIssueGroups'>
export type Grouping = NonNullable<GroupQuery['group_by']>
export type GroupSort = NonNullable<GroupQuery['sort']>
export type Registry = NonNullable<GroupQuery['registry']>
export type IssueGroup = Data<'listIssueGroups'>[number]
export type Vulnerability = Data<'getVulnerability'>
export type UsedVersion = Answer<'listDependenciesV1'>['results'][number]
export type LicensePolicy = Data<'getLicensePolicy'>['attributes']
export type LicensePolicyInput = Omit<LicensePolicy, 'updated_at'>
export type LicenseRule = LicensePolicy['rules'][number]
export type LicenseVerdict = LicenseRule['severity']

export type Ignore = Data<'listIgnores'>[number]
export type IgnoreQuery = Query<'listIgnores'>
export type Policy = Data<'getOrgPolicy'>
export type PolicyInput = Attributes<'createOrgPolicy'>
export type Condition = NonNullable<PolicyInput['conditions_group']>['conditions'][number]
export type ConditionField = Condition['field']
export type VexUpload = Answer<'uploadOrgVex'>['meta']
export type Selection = NonNullable<PolicyInput['selection']>
export type PolicyPreview = Extract<
  Answer<'createOrgPolicy'>,
  { readonly meta: { readonly preview: unknown } }
>['meta']['preview']
export type ReasonType = Ignore['attributes']['reason_type']
export type StaleReason = NonNullable<Ignore['attributes']['stale_because']>
export type PolicyFiles = Answer<'getOrgSettingsV1'>['policyFiles']

export type Import = Data<'getImport'>
export type ImportState = Import['attributes']['state']
export type ImportQuery = Query<'listImports'>
export type ImportManifest = Data<'listImportManifests'>[number]
export type ManifestQuery = Query<'listImportManifests'>
export type Integration = Data<'getIntegration'>
export type IntegrationInput = Attributes<'createIntegration'>
export type IntegrationChange = Attributes<'updateIntegration'>
export type Kind = Integration['attributes']['kind']
export type Credentials = NonNullable<IntegrationInput['credentials']>
export type Archive = Data<'listArchives'>[number]

export type Webhook = Data<'getWebhook'>
export type NewWebhookInput = Attributes<'createWebhook'>
export type WebhookChange = Attributes<'updateWebhook'>
export type EventName = NewWebhookInput['events'][number]
export type Delivery = Data<'listWebhookDeliveries'>[number]
export type DeliveryWithPayload = Data<'getWebhookDelivery'>
