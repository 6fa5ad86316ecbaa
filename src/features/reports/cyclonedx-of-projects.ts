import { toUuid } from '#foundation/digest-uuid.ts'
import { version as productVersion } from '#foundation/product.ts'
import { ROOT } from './bill.ts'
import { property, toCycloneDxHead } from './cyclonedx.ts'
import type { Untested } from './sarif.ts'

interface Item {
  readonly 'bom-ref': string
}

/** The parts of a project's own bill that are joined. */
export interface ProjectBill {
  readonly metadata: { readonly component: Item; readonly properties: readonly object[] }
  readonly components: readonly Item[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
  readonly compositions: readonly { readonly aggregate: string }[]
  readonly vulnerabilities: readonly (Item & { readonly id: string; readonly affects: readonly { ref: string }[] })[]
}

export interface BilledProject {
  readonly path: string
  /** Undefined for a project that could not be tested. */
  readonly bill?: ProjectBill | undefined
  /** The ids of the vulnerabilities to report. */
  readonly issues: ReadonlySet<string>
  /** The reason for having no result. */
  readonly error?: { readonly message: string } | undefined
}

/** Returns one CycloneDX 1.6 bill of several projects; each is an application, and its references begin with its path. */
export function toCycloneDxOfProjects(
  projects: readonly BilledProject[],
  {
    leftOut,
    outOfScope = [],
  }: { readonly leftOut: readonly Untested[]; readonly outOfScope?: readonly Untested[] | undefined },
): object {
  const parts = projects.map(toParts)
  const isComplete = leftOut.length === 0 && projects.length > 0 && projects.every(({ bill }) => bill !== undefined)
  const content = {
    version: 1,
    metadata: {
      tools: { components: [{ type: 'application', name: 'gatehouse', version: productVersion }] },
      component: { type: 'application', 'bom-ref': ROOT, name: 'projects' },
      properties: [
        ...leftOut.map(({ path, reason }) => property('leftOut', `${path}: ${reason}`)),
        ...outOfScope.map(({ path, reason }) => property('outOfScope', `${path}: ${reason}`)),
      ],
    },
    components: parts.flatMap(({ components }) => components),
    dependencies: [
      { ref: ROOT, dependsOn: projects.map(({ path }) => refIn(path, ROOT)) },
      ...parts.flatMap(({ dependencies }) => dependencies),
    ],
    compositions: [
      { aggregate: isComplete ? 'complete' : 'incomplete', dependencies: [ROOT] },
      ...parts.map(({ composition }) => composition),
    ],
    vulnerabilities: parts.flatMap(({ vulnerabilities }) => vulnerabilities),
  }
  return { ...toCycloneDxHead('1.6', toUuid([JSON.stringify(content)])), ...content }
}

function toParts({ path, bill, issues, error }: BilledProject) {
  const inside = (ref: string) => refIn(path, ref)
  const own = inside(ROOT)
  if (bill === undefined) {
    const properties = [property('path', path), ...(error ? [property('notTested', error.message)] : [])]
    return {
      components: [{ type: 'application', 'bom-ref': own, name: path, properties }],
      dependencies: [{ ref: own }],
      composition: { aggregate: 'incomplete', dependencies: [own] },
      vulnerabilities: [],
    }
  }
  const { component, properties } = bill.metadata
  return {
    components: [
      { ...component, 'bom-ref': own, properties: [property('path', path), ...properties] },
      ...bill.components.map((component) => ({ ...component, 'bom-ref': inside(component['bom-ref']) })),
    ],
    dependencies: bill.dependencies.map(({ ref, dependsOn }) => ({
      ref: inside(ref),
      ...(dependsOn && { dependsOn: dependsOn.map(inside) }),
    })),
    composition: { aggregate: bill.compositions[0]?.aggregate ?? 'unknown', dependencies: [own] },
    vulnerabilities: bill.vulnerabilities
      .filter(({ id }) => issues.has(id))
      .map((vulnerability) => ({
        ...vulnerability,
        'bom-ref': inside(vulnerability['bom-ref']),
        affects: vulnerability.affects.map((affected) => ({ ...affected, ref: inside(affected.ref) })),
      })),
  }
}

function refIn(path: string, ref: string): string {
  return `${path}#${ref}`
}
