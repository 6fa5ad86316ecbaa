import { textOf } from '../documents/json-document.ts'
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
  type VexStatus,
} from './vex-document.ts'

/** Statuses by the members of `product_status` (CSAF 2.0 §3.2.3.9). */
const statuses: readonly (readonly [member: string, status: VexStatus])[] = [
  ['known_not_affected', 'not_affected'],
  ['fixed', 'fixed'],
  ['first_fixed', 'fixed'],
  ['known_affected', 'affected'],
  ['first_affected', 'affected'],
  ['last_affected', 'affected'],
  ['under_investigation', 'under_investigation'],
]

type Products = ReadonlyMap<string, VexProduct>

/** Reads a CSAF document of the profile VEX, or another with the status of products. */
export function readCsafVex(root: Part): VexDocument {
  const document = partAt(root, 'document')
  const tracking = document && partAt(document, 'tracking')
  if (!tracking) throw new UnreadableVex('/document/tracking', 'is missing')
  const products = readProducts(root)
  return {
    kind: 'csaf',
    id: requireText(tracking, 'id'),
    statements: partsAt(root, 'vulnerabilities').flatMap((part) => toStatements(part, products)),
  }
}

function readProducts(root: Part): Products {
  const products = new Map<string, VexProduct>()
  const tree = partAt(root, 'product_tree')
  if (!tree) return products
  const note = (part: Part) => {
    const helper = partAt(part, 'product_identification_helper')
    const id = requireText(part, 'product_id')
    products.set(id, { id: (helper && textOf(helper.object, 'purl')) ?? id })
  }
  partsAt(tree, 'full_product_names').forEach(note)
  const waiting = partsAt(tree, 'branches')
  for (let branch = waiting.pop(); branch; branch = waiting.pop()) {
    const product = partAt(branch, 'product')
    if (product) note(product)
    waiting.push(...partsAt(branch, 'branches'))
  }
  for (const relationship of partsAt(tree, 'relationships')) {
    const product = partAt(relationship, 'full_product_name')
    if (!product) continue
    note(product)
    const id = requireText(product, 'product_id')
    const [component, whole] = ['product_reference', 'relates_to_product_reference'].map((key) =>
      products.get(requireText(relationship, key)),
    )
    const hasOwnUrl = products.get(id)!.id !== id
    if (!hasOwnUrl && component && whole) products.set(id, { id: whole.id, components: [component.id] })
  }
  return products
}

function toStatements(part: Part, products: Products): VexStatement[] {
  const status = partAt(part, 'product_status')
  if (!status) return []
  const others = partsAt(part, 'ids').flatMap(({ object }) => textOf(object, 'text') ?? [])
  const [first, ...ids] = [...[textOf(part.object, 'cve') ?? []].flat(), ...others]
  if (first === undefined) throw new UnreadableVex(`${part.pointer}/cve`, 'is missing, and so is an entry of ids')
  return statuses.flatMap(([member, word]) =>
    groupByReason(part, textsAt(status, member)).map(([reason, own]) => ({
      pointer: part.pointer,
      ids: [first, ...ids],
      status: word,
      reason,
      products: own.map((id) => products.get(id) ?? { id }),
    })),
  )
}

/** Flags and threats explain some of the products. */
function groupByReason(part: Part, productIds: readonly string[]): [reason: string, productIds: string[]][] {
  const flags = partsAt(part, 'flags')
  const impacts = partsAt(part, 'threats').filter(({ object }) => textOf(object, 'category') === 'impact')
  const about = (list: readonly Part[], key: string, id: string) =>
    list.flatMap((entry) => (textsAt(entry, 'product_ids').includes(id) ? (textOf(entry.object, key) ?? []) : []))[0]
  return [...Map.groupBy(productIds, (id) => toReason(about(flags, 'label', id), about(impacts, 'details', id)))]
}
