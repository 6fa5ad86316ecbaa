import type { Migration } from '../migration.ts'
import { importWorkers } from './0046-import-workers.ts'
import { storedObjects } from './0047-stored-objects.ts'
import { projectNames } from './0048-project-names.ts'
import { targetCountsSessionPolicies } from './0049-target-counts-session-policies.ts'
import { matchAgain } from './0050-match-again.ts'
import { exploitSignals } from './0051-exploit-signals.ts'
import { policies } from './0052-policies.ts'
import { owners } from './0053-owners.ts'
import { severityPolicies } from './0054-severity-policies.ts'
import { accounts } from './first-release/0001-accounts.ts'
import { credentials } from './first-release/0002-credentials.ts'
import { changes } from './first-release/0003-changes.ts'
import { jobs } from './first-release/0004-jobs.ts'
import { advisories } from './first-release/0010-advisories.ts'
import { registryCache } from './first-release/0011-registry-cache.ts'
import { credentialsOfPrograms } from './first-release/0012-credentials-of-programs.ts'
import { apps } from './first-release/0013-apps.ts'
import { authorizationServer } from './first-release/0014-authorization-server.ts'
import { licencePolicies } from './first-release/0015-licence-policies.ts'
import { integrations } from './first-release/0016-integrations.ts'
import { projects } from './first-release/0017-projects.ts'
import { imports } from './first-release/0018-imports.ts'
import { events } from './first-release/0019-events.ts'
import { jobsByOrg } from './first-release/0020-jobs-by-org.ts'
import { endsOfIgnores } from './first-release/0021-ends-of-ignores.ts'
import { unreadSources } from './first-release/0022-unread-sources.ts'
import { endsOfPrograms } from './first-release/0023-ends-of-programs.ts'
import { orgPackages } from './first-release/0024-org-packages.ts'
import { importsByState } from './first-release/0025-imports-by-state.ts'
import { issueCounts } from './first-release/0027-issue-counts.ts'
import { issueSearch } from './first-release/0028-issue-search.ts'
import { leftOut } from './first-release/0029-left-out.ts'
import { packageLabels } from './first-release/0030-package-labels.ts'
import { uncompressedParts } from './first-release/0031-uncompressed-parts.ts'
import { americanNames } from './first-release/0032-american-names.ts'
import { policyFiles } from './first-release/0033-policy-files.ts'
import { userSessions } from './first-release/0034-user-sessions.ts'
import { issueGroups } from './first-release/0036-issue-groups.ts'
import { trends } from './first-release/0037-trends.ts'
import { upgrades } from './first-release/0038-upgrades.ts'
import { secondFactors } from './first-release/0039-second-factors.ts'
import { singleSignOn } from './first-release/0040-single-sign-on.ts'
import { secretKeys } from './first-release/0042-secret-keys.ts'
import { exploitedGroups } from './first-release/0043-exploited-groups.ts'

/** Every step of the schema, in order. */
export const migrations: readonly Migration[] = [
  accounts,
  credentials,
  changes,
  jobs,
  advisories,
  registryCache,
  credentialsOfPrograms,
  apps,
  authorizationServer,
  licencePolicies,
  integrations,
  projects,
  imports,
  events,
  jobsByOrg,
  endsOfIgnores,
  unreadSources,
  endsOfPrograms,
  orgPackages,
  importsByState,
  issueCounts,
  issueSearch,
  leftOut,
  packageLabels,
  uncompressedParts,
  americanNames,
  policyFiles,
  userSessions,
  issueGroups,
  trends,
  upgrades,
  secondFactors,
  singleSignOn,
  secretKeys,
  exploitedGroups,
  importWorkers,
  storedObjects,
  projectNames,
  targetCountsSessionPolicies,
  matchAgain,
  exploitSignals,
  policies,
  owners,
  severityPolicies,
]
