import { version as productVersion } from '#foundation/product.ts'
import { type Assessment, type Bill, type BillVulnerability, purlOf, refOf } from './bill.ts'
import { listAliases } from './cyclonedx.ts'
import { type Content, LongList } from './long-list.ts'

export function toOpenVexHead({ stored }: Pick<Bill, 'stored'>, serial: string): Content {
  return { '@context': 'https://openvex.dev/ns/v0.2.0', '@id': `${stored?.url ?? 'urn:gatehouse'}/vex/${serial}` }
}

/**
 * Returns an OpenVEX 0.2.0 document of a stored project: one statement per vulnerability, with a status from its
 * ignores.
 */
export function toOpenVex(bill: Bill): Content {
  return toOpenVexOf(new LongList(() => listStatements(bill)), bill.stored?.testedAt ?? 0)
}

/** Returns the members of a document with these statements. */
export function toOpenVexOf(statements: LongList | AsyncIterable<object>, at: number): Content {
  return {
    author: 'Gatehouse',
    timestamp: new Date(at).toISOString(),
    version: 1,
    tooling: `gatehouse ${productVersion}`,
    statements,
  }
}

export function listStatements(bill: Bill): IteratorObject<object> {
  return bill.vulnerabilities.values().map((vulnerability) => toStatement(vulnerability, bill))
}

function toStatement(vulnerability: BillVulnerability, { components, stored, name }: Bill): object {
  const { id, title, url, advice, assessment } = vulnerability
  const aliases = listAliases(vulnerability)
  return {
    vulnerability: { '@id': url, name: id, description: title, ...(aliases.length > 0 && { aliases }) },
    products: [
      {
        '@id': stored?.url ?? name,
        subcomponents: vulnerability.components.map((at) => ({
          '@id': purlOf(components[at]!) ?? refOf(components[at]!),
        })),
      },
    ],
    ...toStatus(assessment),
    ...(assessment === undefined && advice.length > 0 && { status_notes: advice.join('\n') }),
  }
}

/** An issue without an assessment as a whole is under investigation. */
function toStatus(assessment: Assessment | undefined): object {
  if (assessment === undefined) return { status: 'under_investigation' }
  const { verdict, text } = assessment
  if (verdict === 'not-vulnerable') return { status: 'not_affected', impact_statement: text }
  if (verdict === 'wont-fix') return { status: 'affected', action_statement: `Will not be fixed. ${text}` }
  return { status: 'under_investigation', status_notes: text }
}
