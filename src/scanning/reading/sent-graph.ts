import { POLICY_FILE } from '#analysis/discovery/policy-files/policy-file.ts'
import { asUnparsed } from '#foundation/http/bodies/unparsed-json.ts'
import type { SentSubject } from './task.ts'

/** A dependency in a graph has two JSON values; dep-graph.ts limits a graph to a million entries. */
export const MAX_VALUES_OF_GRAPH = 3_000_000

/** Placeholder for the package manager until the graph is read. */
export const UNREAD = ''

/**
 * Returns the subject of a graph in a request's unparsed member, with the text of a policy file if the client sent one.
 */
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
