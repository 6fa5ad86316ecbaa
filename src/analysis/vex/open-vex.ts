import { isObject, ownValue, textOf } from '../documents/json-document.ts'
import {
  type Part,
  partAt,
  partsAt,
  requireText,
  textsAt,
  toReason,
  UnreadableVex,
  type VexDocument,
  type VexProduct,
  type VexStatement,
  vexStatuses,
} from './vex-document.ts'

/** Reads an OpenVEX document (specification 0.2.0, and the texts for vulnerabilities and products of 0.0.x). */
export function readOpenVex(root: Part): VexDocument {
  return { kind: 'openvex', id: requireText(root, '@id'), statements: partsAt(root, 'statements').map(toStatement) }
}

function toStatement(part: Part): VexStatement {
  const { object, pointer } = part
  const status = requireText(part, 'status')
  const match = vexStatuses.find((name) => name === status)
  if (!match) throw new UnreadableVex(`${pointer}/status`, `must be one of ${vexStatuses.join(', ')}`)
  return {
    pointer,
    ids: idsOf(part),
    status: match,
    reason: toReason(
      textOf(object, 'justification'),
      textOf(object, 'impact_statement') ?? textOf(object, 'status_notes'),
    ),
    products: productsOf(part),
  }
}

function idsOf(part: Part): VexStatement['ids'] {
  if (typeof ownValue(part.object, 'vulnerability') === 'string') return [requireText(part, 'vulnerability')]
  const vulnerability = partAt(part, 'vulnerability')
  if (!vulnerability) throw new UnreadableVex(`${part.pointer}/vulnerability`, 'is missing')
  return [requireText(vulnerability, 'name'), ...textsAt(vulnerability, 'aliases')]
}

function productsOf(part: Part): VexProduct[] {
  const list = ownValue(part.object, 'products')
  if (Array.isArray(list) && list.some((entry) => !isObject(entry))) {
    return textsAt(part, 'products').map((id) => ({ id }))
  }
  return partsAt(part, 'products').map((product) => {
    const components = partsAt(product, 'subcomponents').map(idOf)
    return { id: idOf(product), ...(components.length > 0 && { components }) }
  })
}

function idOf(part: Part): string {
  const identifiers = partAt(part, 'identifiers')
  return (identifiers && textOf(identifiers.object, 'purl')) ?? requireText(part, '@id')
}
