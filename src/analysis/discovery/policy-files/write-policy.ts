import type { PolicyRule } from './policy-file.ts'

/** Writes rules as a policy file, in the part of YAML that is JSON. */
export function writePolicy(rules: readonly PolicyRule[]): string {
  const byIssue = Map.groupBy(rules, ({ issueId }) => issueId)
  const ignore = Object.fromEntries(
    [...byIssue].map(([issueId, own]) => [issueId, own.map((rule) => ({ [rule.path]: toDetails(rule) }))]),
  )
  return `${JSON.stringify({ version: 'v1.25.1', ignore, patch: {} })}\n`
}

function toDetails({ reason, expiresAt, disregardIfFixable, reasonType }: PolicyRule): object {
  return {
    ...(reason !== undefined && { reason }),
    ...(expiresAt !== null && { expires: new Date(expiresAt).toISOString() }),
    ...(disregardIfFixable && { disregardIfFixable }),
    reasonType,
  }
}
