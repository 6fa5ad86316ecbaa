import { tokenRoutes } from '#features/access-tokens/routes.ts'
import { advisoryPage } from '#features/advisories/advisory-page.ts'
import { packageIssueRoutes } from '#features/advisories/package-issues-routes.ts'
import { vulnerabilityRoutes } from '#features/advisories/vulnerability-routes.ts'
import { advisoriesCheck, measureAdvisories } from '#features/advisory-sync/measurements.ts'
import { advisorySyncRoutes } from '#features/advisory-sync/sync-routes.ts'
import { apiKeyRoutes } from '#features/api-keys/routes.ts'
import { appBotRoutes } from '#features/app-installs/bot-routes.ts'
import { appInstallRoutes } from '#features/app-installs/routes.ts'
import { selfAppRoutes } from '#features/app-installs/self-routes.ts'
import { appRoutes } from '#features/apps/routes.ts'
import { auditRoutes } from '#features/audit/routes.ts'
import { consoleRoutes } from '#features/console/routes.ts'
import { exposureRoutes } from '#features/credentials/routes.ts'
import { collectRoutes } from '#features/documentation/openapi.ts'
import { openApiRoutes } from '#features/documentation/routes.ts'
import { documentationSite } from '#features/documentation/site.ts'
import { healthRoutes, storageCheck } from '#features/health/routes.ts'
import { ignoreRoutes } from '#features/ignores/routes.ts'
import { v1IgnoreRoutes } from '#features/ignores/v1-routes.ts'
import { importRoutes } from '#features/imports/routes.ts'
import { v1ImportRoutes } from '#features/imports/v1-routes.ts'
import { archiveRoutes } from '#features/integrations/archive-routes.ts'
import { integrationRoutes } from '#features/integrations/routes.ts'
import { v1IntegrationRoutes } from '#features/integrations/v1-routes.ts'
import { createProjectTester } from '#features/issue-index/recording/run-project-test.ts'
import { exportRoutes } from '#features/issues/exports/export-routes.ts'
import { issueGroupRoutes } from '#features/issues/groups/group-routes.ts'
import { issueRoutes } from '#features/issues/issue-routes.ts'
import { sbomRoutes } from '#features/issues/sbom/sbom-routes.ts'
import { consoleTrendRoutes, trendRoutes } from '#features/issues/trends/trend-routes.ts'
import { v1IssueRoutes } from '#features/issues/v1-issue-routes.ts'
import { licensePolicyRoutes } from '#features/license-policies/routes.ts'
import { accountRoutes } from '#features/members/account-routes.ts'
import { userResetRoutes } from '#features/members/reset-routes.ts'
import { membershipRoutes } from '#features/members/routes.ts'
import { userRoutes } from '#features/members/user-routes.ts'
import { v1MemberRoutes } from '#features/members/v1-routes.ts'
import { authorizationRoutes, metadataRoutes, oauthRoutes } from '#features/oauth/routes.ts'
import { groupCreationRoutes } from '#features/organizations/group-creation-routes.ts'
import { organizationRoutes } from '#features/organizations/routes.ts'
import { v1OrganizationRoutes } from '#features/organizations/v1-routes.ts'
import { v1SettingsRoutes } from '#features/organizations/v1-settings-routes.ts'
import { overviewRoutes } from '#features/overview/routes.ts'
import { packageVulnerabilityRoutes } from '#features/package-tests/package-vulnerabilities.ts'
import { packageTestRoutes } from '#features/package-tests/routes.ts'
import { policyRoutes } from '#features/policies/routes.ts'
import { vexRoutes } from '#features/policies/vex/routes.ts'
import { coverageRoutes } from '#features/projects/coverage-routes.ts'
import { monitorRoutes } from '#features/projects/monitoring/monitor-routes.ts'
import { retestForPolicyFiles } from '#features/projects/retests/retest-policy-files.ts'
import { retestRoutes } from '#features/projects/retests/retest-routes.ts'
import { projectRoutes } from '#features/projects/routes.ts'
import { targetRoutes } from '#features/projects/target-routes.ts'
import { v1HistoryRoutes } from '#features/projects-v1/v1-history-routes.ts'
import { v1LabelRoutes } from '#features/projects-v1/v1-label-routes.ts'
import { v1OrgProjectRoutes } from '#features/projects-v1/v1-org-routes.ts'
import { v1ProjectRoutes } from '#features/projects-v1/v1-routes.ts'
import { roleRoutes, v1RoleRoutes } from '#features/roles/routes.ts'
import { searchRoutes } from '#features/search/routes.ts'
import { groupSecurityRoutes } from '#features/second-factors/group-routes.ts'
import { secondFactorRoutes } from '#features/second-factors/routes.ts'
import { selfRoutes } from '#features/self/routes.ts'
import { v1SelfRoutes } from '#features/self/v1-routes.ts'
import { serviceAccountRoutes } from '#features/service-accounts/routes.ts'
import { closingPage } from '#features/sign-in/closing-page.ts'
import { consoleSessionRoutes } from '#features/sign-in/console-routes.ts'
import { signInRoutes } from '#features/sign-in/routes.ts'
import { secondStepRoutes } from '#features/sign-in/second-step-routes.ts'
import { providerAnswerRoutes, signOnRoutes } from '#features/sign-in/single-sign-on/routes.ts'
import { identityRoutes } from '#features/single-sign-on/identity-routes.ts'
import { identityProviderRoutes } from '#features/single-sign-on/routes.ts'
import { triageRoutes } from '#features/triage/routes.ts'
import { userSessionRoutes } from '#features/user-sessions/routes.ts'
import { deliveryRoutes } from '#features/webhooks/delivery-routes.ts'
import { measureDeliveries } from '#features/webhooks/metrics.ts'
import { webhookRoutes } from '#features/webhooks/routes.ts'
import { v1WebhookRoutes } from '#features/webhooks/v1-routes.ts'
import { measureReplica } from '#foundation/db/replica-metrics.ts'
import type { BodyMemory } from '#foundation/http/bodies/body-memory.ts'
import { measureAttempts, measureRequests } from '#foundation/http/metrics/metrics.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { measureJobs } from '#foundation/jobs/metrics.ts'
import { measureObjects } from '#foundation/objects/metrics.ts'
import { servePageAssets } from '#foundation/pages/assets.ts'
import type { Services } from '#foundation/services.ts'
import { createTestMetrics } from '#scanning/pool/metrics.ts'
import type { Parts } from './composition/parts.ts'

/** Outside the two interfaces: health, metrics, documentation. */
export async function root(server: Server, parts: Parts): Promise<void> {
  const { services, metrics, advisories } = parts
  collectRoutes(server)
  servePageAssets(server)
  documentationSite(server, services)
  measurements(server, parts)
  measureAttempts(metrics.registry, services.attempts)
  await consoleRoutes(server)
  closingPage(server)
  advisoryPage(server, advisories)
  metadataRoutes(server, services)
}

/** Health and metrics, served by every process. */
export function measurements(server: Server, { services, metrics, advisories, objects }: Parts): void {
  measureRequests(server, metrics, services.config)
  measureJobs(metrics.registry, services.db)
  measureDeliveries(metrics.registry, services.db)
  measureReplica(metrics.registry, services.database.replica)
  measureAdvisories(metrics.registry, advisories)
  measureObjects(metrics.registry, objects)
  healthRoutes(server, [storageCheck(services), advisoriesCheck(advisories)])
}

/** Services for features that only read: a replica may serve all of their statements. */
function onlyReading(services: Services): Services {
  return { ...services, db: services.database.reads }
}

/** `/rest`: JSON:API. */
export function rest(
  { services, outgoing, advisories, sources, archives, jobNotifier }: Parts,
  memory: BodyMemory,
): Routes[] {
  return [
    openApiRoutes(services),
    selfRoutes(services),
    apiKeyRoutes(services),
    organizationRoutes(services),
    groupCreationRoutes(services),
    licensePolicyRoutes(services),
    projectRoutes(services),
    coverageRoutes(services),
    retestRoutes(services, jobNotifier),
    trendRoutes(onlyReading(services)),
    sbomRoutes(services, advisories),
    exportRoutes(services, advisories),
    targetRoutes(services),
    issueRoutes(onlyReading(services), advisories),
    issueGroupRoutes(onlyReading(services)),
    searchRoutes(onlyReading(services)),
    packageIssueRoutes(advisories),
    vulnerabilityRoutes(services, advisories),
    ignoreRoutes(services),
    triageRoutes(services),
    policyRoutes(services, jobNotifier),
    vexRoutes(services, jobNotifier),
    importRoutes(services),
    integrationRoutes(services, { outgoing, sources }),
    archiveRoutes(services, { storage: archives, memory }),
    membershipRoutes(services),
    userRoutes(services),
    identityRoutes(services),
    roleRoutes(services),
    serviceAccountRoutes(services, outgoing),
    appRoutes(services),
    appInstallRoutes(services),
    appBotRoutes(services),
    selfAppRoutes(services),
    exposureRoutes(services),
    webhookRoutes(services, outgoing),
    deliveryRoutes(services, outgoing),
    auditRoutes(services),
  ]
}

/** `/oauth2`: the authorization server. */
export function oauth({ services, authenticateClient }: Parts): Routes[] {
  return [oauthRoutes(services, authenticateClient), tokenRoutes(services, authenticateClient)]
}

/** `/oauth2`: the pages on which users sign in and authorize an app. */
export function pages({ services, checkPassword, providers }: Parts): Routes[] {
  const ofPeople = { ...services, providers }
  return [authorizationRoutes(services), signInRoutes(ofPeople, checkPassword), providerAnswerRoutes(ofPeople)]
}

/** `/console`: sessions of browsers, passwords, second factors, and totals for the first page. */
export function consoleOwn(parts: Parts): Routes[] {
  const { services, checkPassword, advisories, providers, outgoing, jobNotifier } = parts
  return [
    consoleSessionRoutes(services, checkPassword),
    secondStepRoutes(services),
    signOnRoutes({ ...services, providers }),
    identityProviderRoutes({ ...services, providers, outgoing }),
    userSessionRoutes(services),
    secondFactorRoutes(services),
    groupSecurityRoutes(services),
    userResetRoutes(services),
    accountRoutes(services),
    overviewRoutes(onlyReading(services), advisories),
    advisorySyncRoutes(services, jobNotifier),
    consoleTrendRoutes(onlyReading(services)),
  ]
}

/** `/v1` and `/api/v1`: plain JSON. */
export function v1({ services, tests, metrics, outgoing, advisories, sources, jobNotifier }: Parts): Routes[] {
  return [
    v1SelfRoutes(services),
    v1OrganizationRoutes(services),
    v1SettingsRoutes(services, retestForPolicyFiles),
    v1MemberRoutes(services),
    v1WebhookRoutes(services),
    v1RoleRoutes(services),
    v1OrgProjectRoutes(onlyReading(services)),
    v1ProjectRoutes(services, advisories),
    v1LabelRoutes(services),
    v1HistoryRoutes(services),
    v1IssueRoutes(onlyReading(services), advisories),
    monitorRoutes(services, createProjectTester(services, tests)),
    v1IgnoreRoutes(services),
    v1IntegrationRoutes(services, { outgoing }),
    v1ImportRoutes(services, { repositories: sources, jobNotifier }),
    packageVulnerabilityRoutes(services.config, tests),
    packageTestRoutes(services, tests, createTestMetrics(metrics.registry, tests)),
  ]
}
