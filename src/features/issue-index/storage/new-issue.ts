import type { KnownIssue } from '#analysis/findings/known-issue.ts'

export interface NewIssue {
  readonly packageNumber: number
  readonly issue: KnownIssue
}
