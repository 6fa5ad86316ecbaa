import type { Ecosystem, UpgradeTrials } from '#analysis/ecosystems/ecosystem.ts'
import type { LicencePolicy } from '#analysis/licences/judge-licence.ts'
import type { LicenceReader } from '#analysis/registries/licences.ts'
import type { OpenAdvisories } from '#features/advisories/open-advisories.ts'
import type { TestTask } from './messages.ts'

/** What a result needs to know of a package manager. */
export type TestedEcosystem = Pick<
  Ecosystem,
  'id' | 'language' | 'packageManager' | 'registry' | 'versions' | 'fixAdvice' | 'coordinates'
>

/** What a project that was read is held against. */
export interface TestContext {
  readonly task: Pick<TestTask, 'org' | 'form' | 'acceptPartial' | 'severityThreshold'> & {
    readonly subject: { readonly kind: string }
  }
  readonly ecosystem: TestedEcosystem
  readonly advisories: OpenAdvisories
  /** Undefined: upgrades are judged by the files alone. */
  readonly trials: UpgradeTrials | undefined
  /** Undefined for an organisation that allows every licence. */
  readonly licencePolicy: LicencePolicy | undefined
  /** Undefined: licences are what the files tell. */
  readonly licences: LicenceReader | undefined
  /** Whether no more should be asked of registries than the reading itself did. */
  isLate(): boolean
  /** Bounds of this server that ended waiting for registries. */
  readonly boundsMet: ReadonlySet<string>
  /** The oldest answer of a registry that had to do because it could not be asked anew. */
  findStaleAnswer(): StaleAnswers | undefined
}

export interface StaleAnswers {
  readonly count: number
  /** When the registry last gave or confirmed the oldest of them, in epoch milliseconds. */
  readonly oldestAt: number
}
