import { registries } from '#analysis/advisories/package-names.ts'
import { MAX_ISSUE_ID_BYTES, parseIgnorePath } from '#analysis/discovery/policy-files/ignore-path.ts'
import { parseExpires } from '#analysis/discovery/policy-files/parse-expires.ts'
import type { ReasonType } from '#analysis/discovery/policy-files/policy-file.ts'
import { severities } from '#analysis/findings/known-issue.ts'
import {
  type Condition,
  type ConditionField,
  isRange,
  parsePolicyPackage,
} from '#analysis/findings/policy-conditions.ts'
import { isUuid } from '#foundation/http/access.ts'
import { type Fault, Problem } from '#foundation/problem.ts'
import type { NewAttributes } from './resource.ts'

export interface PolicyAction {
  readonly reason_type: ReasonType
  readonly reason: string
  /** Epoch milliseconds; null for never. */
  readonly expires_at: number | null
}

/** Parses an action. Refuses an end in the past: such a policy would have no effect. */
export function parseAction({ data }: NewAttributes['action'], now: number): PolicyAction {
  const pointer = '/data/attributes/action/data/expires'
  const expiresAt = parseExpires(data.expires ?? '')
  if (expiresAt === undefined) {
    const detail = `${pointer} is not a time; send a day such as 2031-08-29, a time such as 2031-08-29T12:00:00Z, or nothing`
    throw new Problem('invalid-request', detail, { source: { pointer } })
  }
  if (expiresAt !== null && expiresAt <= now) {
    throw new Problem('invalid-request', `${pointer} is in the past; send a later time, or nothing for no end`, {
      source: { pointer },
    })
  }
  return { reason_type: data.ignore_type, reason: data.reason, expires_at: expiresAt }
}

/** Checks conditions and returns them in their stored form: without repeated values, ids in lower case. */
export function parseConditions({ conditions }: NonNullable<NewAttributes['conditions_group']>): Condition[] {
  const faults: Fault[] = []
  const fields = new Set<ConditionField>()
  const parsed = conditions.map(({ field, operator, value }, at): Condition => {
    const pointer = `/data/attributes/conditions_group/conditions/${at}`
    if (fields.has(field)) {
      const detail = `${pointer}/field repeats ${field}; put its values into one condition`
      faults.push({ detail, source: { pointer: `${pointer}/field` } })
    }
    fields.add(field)
    for (const [index, text] of value.entries()) {
      const fault = faultOf[field](text)
      if (fault === undefined) continue
      const place = `${pointer}/value/${index}`
      faults.push({ detail: `${place} ${fault}`, source: { pointer: place } })
    }
    return { field, operator, value: [...new Set(value.map((text) => normalize(field, text)))] }
  })
  if (faults.length > 0) throw new Problem('invalid-request', faults)
  return parsed
}

function normalize(field: ConditionField, text: string): string {
  return field === 'project' || field === 'target' ? text.toLowerCase() : text.trim()
}

const isNoId = (text: string) => (isUuid(text) ? undefined : 'is not an id (a UUID)')

/** Returns what is wrong with a value, for each field. */
const faultOf: Readonly<Record<ConditionField, (text: string) => string | undefined>> = {
  'vulnerability-id'(text) {
    if (text.startsWith('lic:')) return 'is a license issue; policies hide only vulnerabilities'
    if (Buffer.byteLength(text) > MAX_ISSUE_ID_BYTES) return `has more than ${MAX_ISSUE_ID_BYTES} bytes`
    return /^[\x21-\x7e]+$/.test(text) ? undefined : 'is not an id such as CVE-2021-23337; it has a space or no ASCII'
  },
  package(text) {
    const parsed = parsePolicyPackage(text)
    if (!parsed) return `is not a package; write registry/name, with one of the registries ${registries.join(', ')}`
    const { range, registry } = parsed
    return range === undefined || isRange(range, registry) ? undefined : `has a version that ${registry} cannot read`
  },
  'package-version': (text) =>
    isRange(text.trim()) ? undefined : 'is not a version or range; write it as the registry does, for example <2.0.0',
  path(text) {
    const path = parseIgnorePath(text)
    if (typeof path === 'string') return path
    return path.steps.length === 0 ? 'matches all paths; omit the condition' : undefined
  },
  ecosystem: (text) =>
    registries.some((registry) => registry === text) ? undefined : `is not one of ${registries.join(', ')}`,
  project: isNoId,
  target: isNoId,
  'project-tag': (text) => (/^[^:]+:.+$/.test(text) ? undefined : 'is not a tag; write key:value'),
  severity: (text) =>
    severities.some((severity) => severity === text) ? undefined : `is not one of ${severities.join(', ')}`,
  'fix-available': (text) => (text === 'true' || text === 'false' ? undefined : 'is neither true nor false'),
}
