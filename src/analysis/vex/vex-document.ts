import { isObject, type JsonObject, ownValue, textOf } from '../documents/json-document.ts'

/** The statuses of OpenVEX, to which those of the other kinds are mapped. */
export const vexStatuses = ['not_affected', 'fixed', 'affected', 'under_investigation'] as const
export type VexStatus = (typeof vexStatuses)[number]

/** A product that a statement is about. */
export interface VexProduct {
  /** A package URL or another identifier. */
  readonly id: string
  /** Package URLs of the affected components within it; undefined if the product itself is the affected package. */
  readonly components?: readonly string[]
}

export interface VexStatement {
  /** Its JSON pointer in the document. */
  readonly pointer: string
  /** Identifiers of the vulnerability, the main one first. */
  readonly ids: readonly [string, ...string[]]
  readonly status: VexStatus
  /** Justification and explanation. */
  readonly reason: string
  readonly products: readonly VexProduct[]
}

export interface VexDocument {
  readonly kind: 'openvex' | 'cyclonedx' | 'csaf'
  /** Identifies the document in all of its versions. */
  readonly id: string
  readonly statements: readonly VexStatement[]
}

/** A fault of a document. The message follows the pointer. */
export class UnreadableVex extends Error {
  readonly pointer: string

  constructor(pointer: string, message: string) {
    super(message)
    this.pointer = pointer
  }
}

export interface Part {
  readonly object: JsonObject
  readonly pointer: string
}

/** Lists the objects in a member; none if it is absent. */
export function partsAt({ object, pointer }: Part, key: string): Part[] {
  const at = `${pointer}/${key}`
  return listAt(object, key, at).map((entry, index) => {
    if (!isObject(entry)) throw new UnreadableVex(`${at}/${index}`, 'must be an object')
    return { object: entry, pointer: `${at}/${index}` }
  })
}

export function partAt({ object, pointer }: Part, key: string): Part | undefined {
  const value = ownValue(object, key)
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) throw new UnreadableVex(`${pointer}/${key}`, 'must be an object')
  return { object: value, pointer: `${pointer}/${key}` }
}

export function textsAt({ object, pointer }: Part, key: string): string[] {
  const at = `${pointer}/${key}`
  return listAt(object, key, at).map((entry, index) => {
    if (typeof entry !== 'string' || entry === '') throw new UnreadableVex(`${at}/${index}`, 'must be a text')
    return entry
  })
}

export function requireText({ object, pointer }: Part, key: string): string {
  const text = textOf(object, key)
  if (text === undefined) throw new UnreadableVex(`${pointer}/${key}`, 'must be a text')
  return text
}

function listAt(object: JsonObject, key: string, at: string): readonly unknown[] {
  const value = ownValue(object, key)
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new UnreadableVex(at, 'must be a list')
  return value
}

/** Joins the parts of an explanation that exist. */
export function toReason(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(': ')
}
