import type { Severity } from '#analysis/advisories/cvss.ts'
import type { Package } from '#analysis/dependency-graph.ts'
import type { ManifestPlaces } from '#analysis/ecosystems/ecosystem.ts'
import type { PythonTarget } from '#analysis/ecosystems/pip/environment.ts'
import type { LicencePolicy } from '#analysis/licences/judge-licence.ts'
import type { SharedSnapshot } from '#features/advisories/snapshot-file.ts'
import type { UnparsedJson } from '#foundation/http/unparsed-json.ts'
import type { Fault } from '#foundation/problem.ts'
import type { ProblemCode } from '#foundation/problem-codes.ts'
import type { DepGraph } from './dep-graph-request.ts'
import type { ResultForm } from './forms.ts'
import type { ProjectLayout } from './project-bytes.ts'
import type { NumberedAnswer, NumberedQuestion } from './registry-questions.ts'

/** Files, one published package, or a graph that was resolved elsewhere. */
export type ReadSubject =
  | {
      readonly kind: 'files'
      readonly target: string
      readonly additional: readonly string[]
      readonly encoding: 'plain' | 'base64'
      readonly places?: ManifestPlaces
    }
  | { readonly kind: 'package'; readonly package: Package }
  | { readonly kind: 'dep-graph'; readonly depGraph: DepGraph }

/** Sent by a client: JSON of files or of a graph that only a test thread parses and validates. */
export interface SentSubject {
  readonly kind: 'sent'
  readonly as: 'files' | 'dep-graph'
  /** Where in the request's body it was. */
  readonly pointer: `/${string}`
  readonly json: Pick<UnparsedJson, 'bytes' | 'values' | 'offset'>
  /** Of files. */
  readonly encoding?: 'plain' | 'base64' | undefined
}

/** Stored with a project: JSON of a `ReadSubject` that only a test thread parses. */
export interface StoredSubject {
  readonly kind: 'stored'
  readonly bytes: Uint8Array
}

/** What is to be tested, as it reaches the pool. */
export type Subject = ReadSubject | SentSubject | StoredSubject

/** What a test is answered with: two are those of tests of dependency graphs, the last is what is stored of a project. */
export type AnswerForm = ResultForm | 'dep-graph' | 'affected-packages' | 'project'

export interface TestTask {
  readonly ecosystem: string
  readonly subject: Subject
  readonly org: { readonly id: string; readonly name: string }
  /** Undefined when the organisation allows every licence. */
  readonly licencePolicy: LicencePolicy | undefined
  readonly form: AnswerForm
  readonly acceptPartial: boolean
  readonly includeDev: boolean
  /** What is less severe is left out. */
  readonly severityThreshold?: Severity
  /** Base URLs of further repositories, in the order of the request. */
  readonly repositories: readonly string[]
  /** For which Python packages are chosen. */
  readonly python?: PythonTarget
}

export type ReadTask = TestTask & { readonly subject: ReadSubject }

/** Whether somebody waits for the answer: background tests begin when no interactive one waits, on a part of the threads. */
export type Urgency = 'interactive' | 'background'

/** The answer of a test thread: the response's body as JSON bytes, or the bytes of a project test; or a refusal. */
export type TestAnswer =
  | { readonly body: Uint8Array<ArrayBuffer>; readonly layout?: ProjectLayout; readonly facts: TestFacts }
  | { readonly problem: { readonly code: ProblemCode; readonly faults: readonly Fault[] } }

/** What the server itself needs to know of a result. */
export interface TestFacts {
  readonly complete: boolean
  readonly packages: number
  readonly issues: number
  /** Of a graph: the name of its root. */
  readonly rootName?: string
  readonly advisories: { readonly digest: string; readonly builtAt: number; readonly isStarterSet: boolean }
}

export type ToThread =
  | { readonly type: 'snapshot'; readonly snapshot: SharedSnapshot }
  | { readonly type: 'test'; readonly id: number; readonly task: TestTask }
  | { readonly type: 'abandon'; readonly id: number }
  | { readonly type: 'registry-answers'; readonly testId: number; readonly answers: readonly NumberedAnswer[] }

/** How far a thread is, when it has loaded and whenever it has nothing to compute. */
export interface ThreadProgress {
  /** Messages with work that it has handled. */
  readonly handled: number
  /** Processor time that the thread has used since it began. */
  readonly cpuMs: number
  /** Processor time of single tests since the last report, by their ids. */
  readonly used: readonly (readonly [id: number, ms: number])[]
}

export type FromThread =
  | { readonly type: 'answer'; readonly id: number; readonly answer: TestAnswer; readonly progress: ThreadProgress }
  | { readonly type: 'failure'; readonly id: number; readonly error: unknown; readonly progress: ThreadProgress }
  | { readonly type: 'idle'; readonly progress: ThreadProgress }
  | { readonly type: 'registry-questions'; readonly testId: number; readonly questions: readonly NumberedQuestion[] }
