import type { Migration } from '../migration.ts'
import { accounts } from './0001-accounts.ts'
import { credentials } from './0002-credentials.ts'
import { changes } from './0003-changes.ts'
import { jobs } from './0004-jobs.ts'
import { advisories } from './0010-advisories.ts'
import { registryCache } from './0011-registry-cache.ts'
import { credentialsOfPrograms } from './0012-credentials-of-programs.ts'
import { apps } from './0013-apps.ts'
import { authorizationServer } from './0014-authorization-server.ts'
import { licencePolicies } from './0015-licence-policies.ts'
import { integrations } from './0016-integrations.ts'
import { projects } from './0017-projects.ts'
import { imports } from './0018-imports.ts'
import { events } from './0019-events.ts'
import { jobsByOrg } from './0020-jobs-by-org.ts'
import { endsOfIgnores } from './0021-ends-of-ignores.ts'
import { unreadSources } from './0022-unread-sources.ts'
import { endsOfPrograms } from './0023-ends-of-programs.ts'
import { orgPackages } from './0024-org-packages.ts'
import { importsByState } from './0025-imports-by-state.ts'
import { issueCounts } from './0027-issue-counts.ts'
import { issueSearch } from './0028-issue-search.ts'
import { leftOut } from './0029-left-out.ts'
import { packageLabels } from './0030-package-labels.ts'
import { uncompressedParts } from './0031-uncompressed-parts.ts'
import { americanNames } from './0032-american-names.ts'
import { policyFiles } from './0033-policy-files.ts'
import { userSessions } from './0034-user-sessions.ts'
import { issueGroups } from './0036-issue-groups.ts'
import { trends } from './0037-trends.ts'
import { upgrades } from './0038-upgrades.ts'
import { secondFactors } from './0039-second-factors.ts'
import { singleSignOn } from './0040-single-sign-on.ts'
import { secretKeys } from './0042-secret-keys.ts'
import { exploitedGroups } from './0043-exploited-groups.ts'
import { importWorkers } from './0046-import-workers.ts'
import { storedObjects } from './0047-stored-objects.ts'
import { projectNames } from './0048-project-names.ts'
import { targetCountsSessionPolicies } from './0049-target-counts-session-policies.ts'
import { matchAgain } from './0050-match-again.ts'

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
]
