import type { Severity } from '#analysis/advisories/cvss.ts'
import type { Package } from '#analysis/dependency-graph.ts'
import type { PolicySetting } from '#analysis/discovery/policy-files/policy-file.ts'
import type { ManifestPlaces } from '#analysis/ecosystems/ecosystem.ts'
import type { PythonTarget } from '#analysis/ecosystems/python-target.ts'
import type { LicensePolicy } from '#analysis/licenses/judge-license.ts'
import type { UnparsedJson } from '#foundation/http/bodies/unparsed-json.ts'
import type { DepGraph } from './dep-graph-request.ts'
import type { Relock } from './relock.ts'

/** Files, one published package, or a graph that was resolved elsewhere. */
export type ReadSubject =
  | {
      readonly kind: 'files'
      readonly target: string
      readonly additional: readonly string[]
      readonly encoding: 'plain' | 'base64'
      readonly places?: ManifestPlaces
      readonly policy?: SentPolicy
    }
  | { readonly kind: 'package'; readonly package: Package }
  | { readonly kind: 'dep-graph'; readonly depGraph: DepGraph; readonly policy?: SentPolicy }

/** The policy file of a project, unread, or the reason for which it cannot be read. */
export type SentPolicy =
  | { readonly path: string; readonly text: string; readonly problem?: undefined }
  | { readonly path: string; readonly problem: string }

/** JSON of files or of a graph as a client sent it; only a test thread parses and validates it. */
export interface SentSubject {
  readonly kind: 'sent'
  readonly as: 'files' | 'dep-graph'
  /** Its position in the request's body. */
  readonly pointer: `/${string}`
  readonly json: Pick<UnparsedJson, 'bytes' | 'values' | 'offset'>
  /** Files only. */
  readonly encoding?: 'plain' | 'base64' | undefined
  /** Graphs only: with files, the policy file is one of them. */
  readonly policy?: SentPolicy | undefined
}

/** JSON of a `ReadSubject` as it is stored with a project; only a test thread parses it. */
export interface StoredSubject {
  readonly kind: 'stored'
  readonly bytes: Uint8Array
}

/** The input of a test in the pool. */
export type Subject = ReadSubject | SentSubject | StoredSubject

/** Reports that clients ask for. Results of one of many projects refer to details, which stand beside them. */
export type ReportForm =
  | 'json'
  | 'of-many'
  | 'of-many-with-bill'
  | 'sarif'
  | 'cyclonedx'
  | 'dep-graph'
  | 'affected-packages'

/** The form of an answer; `project` is the record of a project's test (`ProjectTest`). */
export type AnswerForm = ReportForm | 'project'

/** A policy of the organization or its group. */
export interface TestPolicy {
  readonly id: string
  readonly name: string
  readonly reason: string
  /** Epoch milliseconds; null for never. */
  readonly expiresAt: number | null
  /** JSON. */
  readonly conditions: string
  /** The severity that it sets; null for one that hides issues. */
  readonly severity: Severity | null
}

export interface TestPolicies {
  /** Determines the policies. */
  readonly revision: string
  /** JSON of `TestPolicy[]`: a text is passed to threads at the least cost, and parsed once per revision. */
  readonly policies: string
}

export interface TestTask {
  readonly ecosystem: string
  readonly subject: Subject
  readonly org: { readonly id: string; readonly name: string; readonly slug?: string }
  /** Undefined when the organization allows every license. */
  readonly licensePolicy: LicensePolicy | undefined
  /** The organization's decision on policy files; without it they apply. */
  readonly policyFiles?: PolicySetting
  /** Policies that hide issues of every test of the organization; undefined for none. */
  readonly policies?: TestPolicies | undefined
  /** The time at which ignores of policy files are judged, in epoch milliseconds; defaults to now. */
  readonly at?: number
  readonly form: AnswerForm
  readonly acceptPartial: boolean
  readonly includeDev: boolean
  /** Tests the versions that the tool's next lockfile would hold, without looking for upgrades. */
  readonly relock?: Relock
  /** Less severe findings are omitted. */
  readonly severityThreshold?: Severity
  /** Base URLs of further repositories, in the order of the request. */
  readonly repositories: readonly string[]
  /** The Python version and platform for which packages are chosen. */
  readonly python?: PythonTarget
  /** False to leave out the standard library of Go. */
  readonly standardLibrary?: boolean
}

export type ReadTask = TestTask & { readonly subject: ReadSubject }
