import type { Manifest, WhatIfResolver } from '#analysis/ecosystems/ecosystem.ts'
import type { LicensePolicy } from '#analysis/licenses/judge-license.ts'
import type { LicenseReader } from '#analysis/registries/licenses.ts'
import type { OpenAdvisories } from '../advisories/open-advisories.ts'
import type { TestedEcosystem } from '../reading/package-managers.ts'
import type { ProjectPolicy } from '../reading/project-policy.ts'
import type { TestTask } from '../reading/task.ts'

/** The data with which a project is compared. */
export interface TestContext {
  readonly task: Pick<
    TestTask,
    'org' | 'form' | 'acceptPartial' | 'severityThreshold' | 'policyFiles' | 'policies' | 'at'
  > & {
    readonly subject: { readonly kind: string }
  }
  readonly ecosystem: TestedEcosystem
  /** The files that declare the dependencies, if any were sent. */
  readonly manifest?: Manifest | undefined
  /** Returns the number that an additional file had in the request, from 0. Undefined if the numbers are unchanged. */
  readonly numberOf?: ((index: number) => number) | undefined
  readonly advisories: OpenAdvisories
  /** Undefined if upgrades are judged by the files alone. */
  readonly resolver: WhatIfResolver | undefined
  /** Undefined for an organization that allows every license. */
  readonly licensePolicy: LicensePolicy | undefined
  /** The policy file of the project; undefined without one. */
  readonly policy?: ProjectPolicy | undefined
  /** Undefined if only the files are searched for licenses. */
  readonly licenses: LicenseReader | undefined
  /** Returns true if no more optional queries should be sent to registries. */
  isLate(): boolean
  /** Limits of this server that ended waiting for registries. */
  readonly boundsMet: ReadonlySet<string>
  /** Returns the stale registry answers that were used because the registry could not be reached, if any. */
  findStaleAnswer(): StaleAnswers | undefined
}

export interface StaleAnswers {
  readonly count: number
  /** When the registry last gave or confirmed the oldest of them, in epoch milliseconds. */
  readonly oldestAt: number
}
