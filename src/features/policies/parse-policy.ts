import { registries } from '#analysis/advisories/package-names.ts'
import { MAX_ISSUE_ID_BYTES, parseIgnorePath } from '#analysis/discovery/policy-files/ignore-path.ts'
import { parseExpires } from '#analysis/discovery/policy-files/parse-expires.ts'
import { type ReasonType, reasonTypes } from '#analysis/discovery/policy-files/policy-file.ts'
import { severities, toSeverityNumber } from '#analysis/findings/known-issue.ts'
import {
  type Condition,
  type ConditionField,
  isRange,
  parsePolicyPackage,
} from '#analysis/findings/policy-conditions.ts'
import { isUuid } from '#foundation/http/access.ts'
import { type Fault, Problem } from '#foundation/problem.ts'
import type { ActionType, NewAttributes } from './resource.ts'

export interface PolicyAction {
  /** Empty for a change of severity. */
  readonly reason_type: ReasonType | ''
  readonly reason: string
  /** Epoch milliseconds; null for never. */
  readonly expires_at: number | null
  /** The severity that it sets, from 1 (low) to 4 (critical); null for an ignore. */
  readonly severity: number | null
}

type Data = NewAttributes['action']['data']

/** Parses an action; without a type, its members tell which it is. */
export function parseAction({ data }: { data: Data }, type: ActionType | undefined, now: number): PolicyAction {
  const isChange = type === undefined ? data.severity !== undefined : type === 'severity'
  return isChange ? parseChange(data) : parseIgnore(data, now)
}

function parseChange({ reason, severity, ...others }: Data): PolicyAction {
  const at = '/data/attributes/action/data'
  if (severity === undefined) throw refusal(`${at}/severity`, `is missing; send one of ${severities.join(', ')}`)
  const [other] = Object.keys(others)
  if (other !== undefined) throw refusal(`${at}/${other}`, 'belongs to the action type ignore; omit it')
  return { reason_type: '', reason, expires_at: null, severity: toSeverityNumber(severity) }
}

/** Refuses an end in the past: such a policy would have no effect. */
function parseIgnore(data: Data, now: number): PolicyAction {
  const at = '/data/attributes/action/data'
  if (data.ignore_type === undefined) {
    throw refusal(`${at}/ignore_type`, `is missing; send one of ${reasonTypes.join(', ')}`)
  }
  if (data.severity !== undefined) throw refusal(`${at}/severity`, 'belongs to the action type severity; omit it')
  const pointer = `${at}/expires`
  const expiresAt = parseExpires(data.expires ?? '')
  if (expiresAt === undefined) {
    throw refusal(
      pointer,
      'is not a time; send a day such as 2031-08-29, a time such as 2031-08-29T12:00:00Z, or nothing',
    )
  }
  if (expiresAt !== null && expiresAt <= now) {
    throw refusal(pointer, 'is in the past; send a later time, or nothing for no end')
  }
  return { reason_type: data.ignore_type, reason: data.reason, expires_at: expiresAt, severity: null }
}

function refusal(pointer: string, detail: string): Problem {
  return new Problem('invalid-request', `${pointer} ${detail}`, { source: { pointer } })
}

const ofProjects: readonly ConditionField[] = ['project', 'project-tag', 'target', 'path']

/** Refuses conditions on projects for a change of severity, which applies to a whole organization. */
export function checkConditions(conditions: readonly Condition[], { severity }: Pick<PolicyAction, 'severity'>): void {
  const at = conditions.findIndex(({ field }) => ofProjects.includes(field))
  if (severity === null || at < 0) return
  const pointer = `/data/attributes/conditions_group/conditions/${at}/field`
  throw refusal(pointer, `is ${conditions[at]!.field}: a severity changes in a whole organization; omit the condition`)
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
