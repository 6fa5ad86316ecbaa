import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { DistinctPackage } from '#analysis/findings/match-graph.ts'
import { isKnown, type LicenceExpression, parseLicence } from '#analysis/licences/licence-expression.ts'
import type { LicenceReader } from '#analysis/registries/licences.ts'
import type { TestContext } from './context.ts'

/** The licence of one package of a project. */
export interface PackageLicence {
  readonly found: DistinctPackage
  /** Undefined when nobody told it. */
  readonly expression: LicenceExpression | undefined
}

export interface Licences {
  readonly packages: readonly PackageLicence[]
  /** Registries were asked for licences that the files do not tell. */
  readonly registryAsked: boolean
  /** False when an answer was wanted for a policy and did not come: whether the policy objects is then not known. */
  readonly isWhole: boolean
  readonly boundsMet: string[]
}

/** Packages whose licence is asked of a registry in one test. */
const MAX_QUESTIONS = 2_000
const ASKED_AT_ONCE = 16

/**
 * What lockfile and metadata said of licences. Only where an organisation has a policy, registries are asked for the
 * rest: that is a question for each package.
 */
export async function findLicences(packages: readonly DistinctPackage[], context: TestContext): Promise<Licences> {
  const { licencePolicy, licences: reader } = context
  const registryAsked = licencePolicy !== undefined && reader !== undefined
  const asked = registryAsked ? await ask(packages, reader, context) : { licences: new Map(), boundsMet: [] }
  // Thousands of packages have a handful of licences.
  const expressions = new Map<string, LicenceExpression | undefined>()
  const expressionOf = (text: string) => {
    if (!expressions.has(text)) expressions.set(text, parseLicence(text))
    return expressions.get(text)
  }
  return {
    packages: packages.map((found) => {
      const text = licenceOf(found) ?? asked.licences.get(found)
      return { found, expression: text === undefined ? undefined : expressionOf(text) }
    }),
    registryAsked,
    isWhole: asked.boundsMet.length === 0,
    boundsMet: asked.boundsMet,
  }
}

export function isLicenceKnown({ expression }: PackageLicence): boolean {
  return expression !== undefined && isKnown(expression)
}

function licenceOf({ node }: DistinctPackage): string | undefined {
  return node.licence
}

async function ask(packages: readonly DistinctPackage[], reader: LicenceReader, { ecosystem, isLate }: TestContext) {
  const { registry, versions } = ecosystem
  const open = packages.filter((each) => licenceOf(each) === undefined && versions.isValid(each.package.version))
  const waiting = open.slice(0, MAX_QUESTIONS)
  const found = new Map<DistinctPackage, string>()
  const boundsMet = new Set<string>()
  if (open.length > waiting.length) {
    boundsMet.add(
      `Licences were asked for ${MAX_QUESTIONS} packages; those of ${open.length - waiting.length} more are not known`,
    )
  }
  const askNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (isLate()) {
        boundsMet.add('Asking for licences took too long: the rest are not known')
        return
      }
      try {
        const text = await reader.find(registry, next.package)
        if (text !== undefined) found.set(next, text)
      } catch (error) {
        if (!(error instanceof RegistryUnreachable)) throw error
        boundsMet.add(`Licences that the files do not tell are not known: ${error.message}`)
        waiting.length = 0
      }
    }
  }
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, askNext))
  return { licences: found, boundsMet: [...boundsMet] }
}
