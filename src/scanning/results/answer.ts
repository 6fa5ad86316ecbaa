import type { Fault } from '#foundation/problem.ts'
import type { ProblemCode } from '#foundation/problem-codes.ts'
import type { ProjectLayout } from './project-bytes.ts'

/** The answer of a test thread: the response body as JSON bytes, the bytes of a project test, or a problem. */
export type TestAnswer =
  | (WrittenAnswer & { readonly facts: TestFacts })
  | { readonly problem: { readonly code: ProblemCode; readonly faults: readonly Fault[] } }

export interface WrittenAnswer {
  readonly body: Uint8Array<ArrayBuffer>
  readonly layout?: ProjectLayout
  /** JSON of the details of vulnerabilities by id, to which the body refers; in answers about one of many projects. */
  readonly details?: ReadonlyMap<string, string>
}

/** The facts about a result that the server itself uses. */
export interface TestFacts {
  readonly ok: boolean
  readonly complete: boolean
  readonly packages: number
  readonly issues: number
  /**
   * True if the same request with the same advisories has the same answer, since neither registries nor the time
   * affected it.
   */
  readonly isRepeatable: boolean
  /** The name of the root package; graphs only. */
  readonly rootName?: string
  readonly advisories: { readonly digest: string; readonly builtAt: number; readonly isStarterSet: boolean }
}
