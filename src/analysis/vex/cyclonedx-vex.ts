import { textOf } from '../documents/json-document.ts'
import {
  type Part,
  partAt,
  partsAt,
  requireText,
  toReason,
  UnreadableVex,
  type VexDocument,
  type VexStatement,
  type VexStatus,
} from './vex-document.ts'

/** Statuses by the analysis states of CycloneDX 1.4 to 1.6. */
const statuses: Readonly<Record<string, VexStatus>> = {
  not_affected: 'not_affected',
  false_positive: 'not_affected',
  resolved: 'fixed',
  resolved_with_pedigree: 'fixed',
  exploitable: 'affected',
  in_triage: 'under_investigation',
}

/** Reads the analyses of vulnerabilities in a CycloneDX document, which may be a bill of materials too. */
export function readCycloneDxVex(root: Part): VexDocument {
  const purls = new Map<string, string>()
  const metadata = partAt(root, 'metadata')
  const subject = metadata && partAt(metadata, 'component')
  const waiting = [...(subject ? [subject] : []), ...partsAt(root, 'components')]
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    const [ref, purl] = [textOf(part.object, 'bom-ref'), textOf(part.object, 'purl')]
    if (ref !== undefined && purl !== undefined) purls.set(ref, purl)
    waiting.push(...partsAt(part, 'components'))
  }
  return {
    kind: 'cyclonedx',
    id: requireText(root, 'serialNumber'),
    statements: partsAt(root, 'vulnerabilities').flatMap((part) => toStatements(part, purls)),
  }
}

/** A vulnerability without an analysis states nothing. */
function toStatements(part: Part, purls: ReadonlyMap<string, string>): VexStatement[] {
  const analysis = partAt(part, 'analysis')
  const state = analysis && textOf(analysis.object, 'state')
  if (!analysis || state === undefined) return []
  const status = Object.hasOwn(statuses, state) ? statuses[state] : undefined
  if (!status) {
    throw new UnreadableVex(`${analysis.pointer}/state`, `must be one of ${Object.keys(statuses).join(', ')}`)
  }
  const references = partsAt(part, 'references').flatMap(({ object }) => textOf(object, 'id') ?? [])
  return [
    {
      pointer: part.pointer,
      ids: [requireText(part, 'id'), ...references],
      status,
      reason: toReason(textOf(analysis.object, 'justification'), textOf(analysis.object, 'detail')),
      products: partsAt(part, 'affects').map((affected) => ({ id: resolve(requireText(affected, 'ref'), purls) })),
    },
  ]
}

/** Returns the package URL behind a reference: that of a component, or of a BOM-Link to one. */
function resolve(ref: string, purls: ReadonlyMap<string, string>): string {
  const own = purls.get(ref)
  if (own !== undefined || !ref.startsWith('urn:cdx:') || !URL.canParse(ref)) return own ?? ref
  const fragment = decodeURIComponent(new URL(ref).hash.slice(1))
  return purls.get(fragment) ?? fragment
}
