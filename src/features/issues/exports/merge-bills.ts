import type { Assessment, Bill, BillVulnerability, Component, StoredProject } from '#features/reports/bill.ts'
import { purlOf, refOf } from '#features/reports/bill.ts'

/** Sentences kept per vulnerability: more would repeat themselves in hundreds of projects. */
const MAX_SENTENCES = 20

interface MergedComponent extends Component {
  license?: NonNullable<Component['license']>
  readonly licenseIssues: string[]
  readonly edges: Set<number>
}

interface MergedVulnerability {
  readonly first: BillVulnerability
  readonly components: Set<number>
  readonly advice: Set<string>
  readonly sentences: Set<string>
  verdict: Assessment['verdict'] | undefined
}

export interface BillOfMany {
  /** Adds a project; `bill` is undefined before its first test. */
  add(project: StoredProject & { readonly name: string }, bill: Bill | undefined): void
  toBill(advisories: Bill['coverage']['advisories']): Bill
}

/**
 * Merges the bills of projects: each project is a component that depends on its direct dependencies, and a package of
 * several projects is one component with the dependencies of all. Memory grows with distinct packages and
 * vulnerabilities, and with the number of projects.
 */
export function createBillOfMany(scope: StoredProject & { readonly name: string }): BillOfMany {
  const components = new Map<string, number>()
  const merged: MergedComponent[] = []
  const roots: number[] = []
  const vulnerabilities = new Map<string, MergedVulnerability>()
  let untested = 0
  let incomplete = 0
  let testedAt = 0

  function addComponent(component: Component): number {
    const ref = component.project ? refOf(component) : (purlOf(component) ?? refOf(component))
    const existing = components.get(ref)
    if (existing !== undefined) {
      const { licenseIssues } = merged[existing]!
      licenseIssues.push(...component.licenseIssues.filter((issue) => !licenseIssues.includes(issue)))
      merged[existing]!.license ??= component.license!
      return existing
    }
    components.set(ref, merged.length)
    merged.push({ ...component, ref, licenseIssues: [...component.licenseIssues], edges: new Set() })
    return merged.length - 1
  }

  function addVulnerability(vulnerability: BillVulnerability, own: readonly number[], project: string): void {
    const { id, assessment, advice } = vulnerability
    const existing = vulnerabilities.get(id)
    const entry = existing ?? toEntry(vulnerability)
    vulnerabilities.set(id, entry)
    for (const at of vulnerability.components) entry.components.add(own[at]!)
    addSentences(entry.advice, advice)
    if (assessment) addSentences(entry.sentences, [`${project}: ${assessment.text}`])
    // Projects that disagree have no assessment in common.
    if (existing && existing.verdict !== assessment?.verdict) existing.verdict = 'partial'
  }

  return {
    add(project, bill) {
      const isComplete = bill?.coverage.complete === true
      if (bill === undefined) untested++
      else if (!isComplete) incomplete++
      testedAt = Math.max(testedAt, project.testedAt)
      const root = addComponent({
        package: { name: project.name, version: bill?.version ?? '' },
        registry: 'none',
        ref: `project:${project.id}`,
        licenseIssues: [],
        project: { ...project, isComplete },
      })
      roots.push(root)
      if (bill === undefined) return
      const own = bill.components.map(addComponent)
      const ofNode = bill.nodes.map(({ component }, at) => (at === 0 ? root : own[component]!))
      for (const [at, { edges }] of bill.nodes.entries()) {
        for (const to of edges) merged[ofNode[at]!]!.edges.add(ofNode[to]!)
      }
      for (const vulnerability of bill.vulnerabilities) addVulnerability(vulnerability, own, project.name)
    },
    toBill: (advisories) => ({
      name: scope.name,
      version: '',
      stored: { ...scope, testedAt },
      components: merged,
      // Node n + 1 is component n.
      nodes: [
        { component: -1, edges: roots.map((at) => at + 1) },
        ...merged.map(({ edges }, at) => ({ component: at, edges: [...edges].map((to) => to + 1) })),
      ],
      vulnerabilities: vulnerabilities.values().map(toVulnerability).toArray(),
      coverage: {
        complete: untested + incomplete === 0,
        unresolved: [],
        boundsMet: [
          ...(untested > 0 ? [`Projects without a test: ${untested}`] : []),
          ...(incomplete > 0 ? [`Projects whose last test was incomplete: ${incomplete}`] : []),
        ],
        advisories,
      },
    }),
  }
}

function toEntry(first: BillVulnerability): MergedVulnerability {
  const verdict = first.assessment?.verdict
  return { first, components: new Set(), advice: new Set(), sentences: new Set(), verdict }
}

function addSentences(sentences: Set<string>, more: readonly string[]): void {
  for (const sentence of more) if (sentences.size < MAX_SENTENCES) sentences.add(sentence)
}

function toVulnerability({ first, components, advice, sentences, verdict }: MergedVulnerability): BillVulnerability {
  const { assessment: _, ...rest } = first
  const assessment = verdict && { verdict, text: [...sentences].join('\n') }
  return { ...rest, advice: [...advice], components: [...components], ...(assessment && { assessment }) }
}
