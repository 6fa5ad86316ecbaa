import { MAX_ISSUE_ID_BYTES } from '#analysis/discovery/policy-files/ignore-path.ts'
import type { Condition } from '#analysis/findings/policy-conditions.ts'
import { readPackageUrl } from '#analysis/registries/package-url.ts'
import { UnreadableVex, type VexDocument, type VexProduct, type VexStatement } from '#analysis/vex/vex-document.ts'
import { cutText } from '#foundation/cut-text.ts'
import { toUuid } from '#foundation/digest-uuid.ts'
import { MAX_REASON_LENGTH } from '../resource.ts'

/** A policy that follows from a statement. */
export interface StatedPolicy {
  /** Identifies the statement in all versions of the document. */
  readonly statement: string
  readonly name: string
  readonly reason: string
  readonly conditions: readonly Condition[]
}

export interface StatementCounts {
  /** Statements that hide issues: not affected or fixed. */
  ignoring: number
  affected: number
  under_investigation: number
  /** Statements of the first kind without a package or project that can be matched. */
  unmatched: number
}

/** A package as policies name it, and the part of the product that restricts where it is meant. */
interface Subject {
  readonly package: string
  readonly restriction: Condition | undefined
}

/** Returns the policies for the statements of a document. Of several about one product, the last one counts. */
export function toPolicies({ id, statements }: VexDocument): { policies: StatedPolicy[]; counts: StatementCounts } {
  const counts = { ignoring: 0, affected: 0, under_investigation: 0, unmatched: 0 }
  const latest = new Map<string, { readonly statement: VexStatement; readonly subject: Subject }>()
  for (const statement of statements) {
    checkIds(statement)
    const subjects = statement.products.flatMap(toSubjects)
    const { status } = statement
    if (status === 'affected' || status === 'under_investigation') counts[status]++
    else counts[subjects.length === 0 ? 'unmatched' : 'ignoring']++
    for (const subject of subjects) latest.set(JSON.stringify([statement.ids[0], subject]), { statement, subject })
  }
  const ignoring = [...latest.values()].filter(
    ({ statement: { status } }) => status === 'not_affected' || status === 'fixed',
  )
  const groups = Map.groupBy(ignoring, ({ statement, subject }) =>
    JSON.stringify([statement.pointer, statement.reason, subject.restriction]),
  )
  return { policies: [...groups.values()].map((own) => toPolicy(id, own)), counts }
}

function checkIds({ ids, pointer }: VexStatement): void {
  const bad = ids.find((id) => !/^[\x21-\x7e]+$/.test(id) || id.length > MAX_ISSUE_ID_BYTES)
  if (bad !== undefined) throw new UnreadableVex(pointer, `has an identifier that is not one: ${bad.slice(0, 80)}`)
}

function toPolicy(
  documentId: string,
  own: readonly { readonly statement: VexStatement; readonly subject: Subject }[],
): StatedPolicy {
  const { statement, subject } = own[0]!
  const packages = [...new Set(own.map(({ subject }) => subject.package))].sort()
  const { ids, status } = statement
  const { restriction } = subject
  const word = status === 'fixed' ? 'fixed' : 'not affected'
  const reason = toPlain(statement.reason) || `${word}, as ${documentId} states`
  return {
    statement: toUuid([JSON.stringify([ids[0], packages, restriction])]),
    name: `${ids[0]}: ${word}`.slice(0, 255),
    reason: cutText(reason, MAX_REASON_LENGTH),
    conditions: [
      { field: 'vulnerability-id', operator: 'includes', value: [...new Set(ids)] },
      { field: 'package', operator: 'includes', value: packages },
      ...(restriction ? [restriction] : []),
    ],
  }
}

/** Control characters, which storage and terminals refuse. */
function toPlain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim()
}

/**
 * Returns the packages that a product stands for. A component of a package is meant where a dependency path leads through
 * that package, and a component of a project's bill of materials in that project; other products cannot be found.
 */
function toSubjects({ id, components }: VexProduct): Subject[] {
  if (components === undefined) return toPackages(id, undefined)
  const whole = readPackageUrl(id)
  const projectId = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.exec(id)?.[0].toLowerCase()
  return components.flatMap((component) => {
    const part = readPackageUrl(component)
    if ('code' in part) return []
    if (!('code' in whole)) {
      const path = `* > ${toPathPart(whole.package)} > * > ${toPathPart(part.package)}`
      return toPackages(component, { field: 'path', operator: 'includes', value: [path] })
    }
    const ofProject = { field: 'project', operator: 'includes', value: [projectId!] } as const
    return projectId === undefined ? [] : toPackages(component, ofProject)
  })
}

function toPackages(purl: string, restriction: Condition | undefined): Subject[] {
  const parsed = readPackageUrl(purl)
  if ('code' in parsed) return []
  return [{ package: `${parsed.registry}/${toPathPart(parsed.package)}`, restriction }]
}

function toPathPart({ name, version }: { name: string; version: string }): string {
  return version === '' ? name : `${name}@${version}`
}
