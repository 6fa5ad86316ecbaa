import type { Fault } from '#foundation/problem.ts'
import type { ProblemCode } from '#foundation/problem-codes.ts'
import type { ProjectLayout } from './project-bytes.ts'

/** The answer of a test thread: the response's body as JSON bytes, or the bytes of a project test; or a refusal. */
export type TestAnswer =
  | { readonly body: Uint8Array<ArrayBuffer>; readonly layout?: ProjectLayout; readonly facts: TestFacts }
  | { readonly problem: { readonly code: ProblemCode; readonly faults: readonly Fault[] } }

/** The facts about a result that the server itself uses. */
export interface TestFacts {
  readonly ok: boolean
  readonly complete: boolean
  readonly packages: number
  readonly issues: number
  /** The same request has the same answer under the same advisories: neither registries nor the time had a part in it. */
  readonly isRepeatable: boolean
  /** For a graph: the name of its root. */
  readonly rootName?: string
  readonly advisories: { readonly digest: string; readonly builtAt: number; readonly isStarterSet: boolean }
}
