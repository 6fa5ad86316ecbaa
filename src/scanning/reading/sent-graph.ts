import { POLICY_FILE } from '#analysis/policy-files/policy-file.ts'
import { asUnparsed } from '#foundation/http/bodies/unparsed-json.ts'
import type { SentSubject } from './task.ts'

/** A dependency of a graph is two values; a graph may have a million things (dep-graph.ts). */
export const MAX_VALUES_OF_GRAPH = 3_000_000

/** Stands for the package manager until the graph is read. */
export const UNREAD = ''

/** A graph in a request's large member, with the text of a policy file that clients send beside it. */
export function toSentGraph(
  depGraph: unknown,
  pointer: SentSubject['pointer'],
  policy?: string | null | undefined,
): SentSubject {
  const sent = policy ? { policy: { path: POLICY_FILE, text: policy } } : {}
  return { kind: 'sent', as: 'dep-graph', pointer, json: toPlainJson(depGraph), ...sent }
}

/** Converts a member to data that can be posted to a thread. */
export function toPlainJson(member: unknown): SentSubject['json'] {
  const { bytes, values, offset } = asUnparsed(member)
  return { bytes, values, offset }
}
