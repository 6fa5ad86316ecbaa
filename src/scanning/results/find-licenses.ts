import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { DistinctPackage } from '#analysis/findings/match-graph.ts'
import { isKnown, type LicenseExpression, parseLicense } from '#analysis/licenses/license-expression.ts'
import type { LicenseReader } from '#analysis/registries/licenses.ts'
import { managerOf } from '../reading/package-managers.ts'
import type { TestContext } from './context.ts'

/** The license of one package of a project. */
export interface PackageLicense {
  readonly distinct: DistinctPackage
  /** Undefined if unknown. */
  readonly expression: LicenseExpression | undefined
}

export interface Licenses {
  readonly packages: readonly PackageLicense[]
  /** True if registries were asked for licenses that the files do not contain. */
  readonly registryAsked: boolean
  /** False if a registry did not answer a question that the license policy depends on. */
  readonly isWhole: boolean
  readonly boundsMet: string[]
}

/** Limit on the packages for whose licenses one test asks registries. */
const MAX_QUERIES = 2_000
const ASKED_AT_ONCE = 16

/**
 * Collects licenses from the lockfile and metadata. For organizations with a license policy, asks registries for the
 * rest, one query per package.
 */
export async function findLicenses(packages: readonly DistinctPackage[], context: TestContext): Promise<Licenses> {
  const { licensePolicy, licenses: reader } = context
  const registryAsked = licensePolicy !== undefined && reader !== undefined
  const lookup = registryAsked ? await ask(packages, reader, context) : { licenses: new Map(), boundsMet: [] }
  // Thousands of packages share a handful of licenses.
  const expressions = new Map<string, LicenseExpression | undefined>()
  const expressionOf = (text: string) => {
    if (!expressions.has(text)) expressions.set(text, parseLicense(text))
    return expressions.get(text)
  }
  return {
    packages: packages.map((distinct) => {
      const text = licenseOf(distinct) ?? lookup.licenses.get(distinct)
      return { distinct, expression: text === undefined ? undefined : expressionOf(text) }
    }),
    registryAsked,
    isWhole: lookup.boundsMet.length === 0,
    boundsMet: lookup.boundsMet,
  }
}

export function isLicenseKnown({ expression }: PackageLicense): boolean {
  return expression !== undefined && isKnown(expression)
}

function licenseOf({ node }: DistinctPackage): string | undefined {
  return node.license
}

async function ask(packages: readonly DistinctPackage[], reader: LicenseReader, { ecosystem, isLate }: TestContext) {
  const open = packages.filter((distinctPackage) => {
    const { node, package: current } = distinctPackage
    if (licenseOf(distinctPackage) !== undefined || node.registry === 'none') return false
    return managerOf(ecosystem, node.registry ?? ecosystem.registry).versions.isValid(current.version)
  })
  const waiting = open.slice(0, MAX_QUERIES)
  const texts = new Map<DistinctPackage, string>()
  const boundsMet = new Set<string>()
  if (open.length > waiting.length) {
    boundsMet.add(
      `Licenses were asked for ${MAX_QUERIES} packages; those of ${open.length - waiting.length} more are not known`,
    )
  }
  const registryOf = ({ node: { registry = ecosystem.registry } }: DistinctPackage) =>
    registry === 'none' ? ecosystem.registry : registry
  const askNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (isLate()) {
        boundsMet.add('Asking for licenses took too long: the rest are not known')
        return
      }
      try {
        const text = await reader.find(registryOf(next), next.package)
        if (text !== undefined) texts.set(next, text)
      } catch (error) {
        if (!(error instanceof RegistryUnreachable)) throw error
        boundsMet.add(`Licenses that the files do not tell are not known: ${error.message}`)
        waiting.length = 0
      }
    }
  }
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, askNext))
  return { licenses: texts, boundsMet: [...boundsMet] }
}
