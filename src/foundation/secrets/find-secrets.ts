import { prefixOf, type SecretKind, secretKindOf, secretKinds, secretPattern } from './typed-secret.ts'

export type FoundKind = SecretKind | 'access_token' | 'api_key'

/** A place in a text that is a credential of this product, could be one, or is a damaged one. */
export interface FoundSecret {
  readonly kind: FoundKind
  /**
   * `ours`: the checksum matches. `possible`: the format does not determine it; for a token only its signature does.
   * `damaged`: our prefix with an invalid rest.
   */
  readonly certainty: 'ours' | 'possible' | 'damaged'
  /** Start in the text. */
  readonly index: number
  readonly value: string
}

const dotted = /[A-Za-z0-9_.-]+/g
const uuid = /(?<![0-9a-f-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f-])/gi
/** Words before a named key, as in settings, headers and code. */
const naming =
  /(?:token|bearer|key|secret|password|credential|auth|gatehouse|snyk)[\w. -]{0,30}["'\s:=]{1,4}(?:token |bearer )?$/i
const NAMING_LENGTH = 60
const begun = new RegExp(`(?:${secretKinds.map(prefixOf).join('|')})[A-Za-z0-9_-]*`, 'g')
const whole = new RegExp(secretKinds.map(secretPattern).join('|'))

/**
 * Finds our credentials in a text without a database. API keys are plain UUIDs, so only a bare UUID, or one named as a
 * key, counts as a possible one.
 */
export function findSecrets(text: string): FoundSecret[] {
  return [...findTyped(text), ...findTokens(text), ...findKeys(text)].sort((a, b) => a.index - b.index)
}

function findTyped(text: string): FoundSecret[] {
  return [...text.matchAll(begun)].map(({ 0: word, index }) => {
    const match = whole.exec(word)
    const kind = match ? secretKindOf(match[0]) : undefined
    if (match && kind) return { kind, certainty: 'ours', index: index + match.index, value: match[0] }
    const likely = secretKinds.find((one) => word.startsWith(prefixOf(one)))!
    return { kind: likely, certainty: 'damaged', index, value: word }
  })
}

/** Finds JWTs whose `jti` marks them as ours; the mark can be copied. */
function findTokens(text: string): FoundSecret[] {
  return [...text.matchAll(dotted)].flatMap(({ 0: word, index }) => {
    const parts = word.split('.')
    const at = parts.findIndex((part) => secretKindOf(readTokenId(part)) === 'access_token_id')
    const begin = parts[at - 1]?.indexOf('eyJ') ?? -1
    if (begin === -1 || at + 1 >= parts.length) return []
    const before = parts.slice(0, at - 1).reduce((length, part) => length + part.length + 1, 0) + begin
    const value = `${parts[at - 1]!.slice(begin)}.${parts[at]}.${parts[at + 1]}`
    return [{ kind: 'access_token', certainty: 'possible', index: index + before, value } as const]
  })
}

function readTokenId(payload: string): string {
  // Shorter than an id: not worth decoding.
  if (payload.length < 80 || !payload.startsWith('eyJ')) return ''
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    const jti = typeof claims === 'object' && claims !== null && 'jti' in claims ? claims.jti : undefined
    return typeof jti === 'string' ? jti : ''
  } catch {
    return ''
  }
}

function findKeys(text: string): FoundSecret[] {
  return findUuids(text).filter(
    ({ index, value }) => text.trim() === value || naming.test(text.slice(Math.max(0, index - NAMING_LENGTH), index)),
  )
}

/** Finds every UUID, each of which could be an API key. */
export function findUuids(text: string): FoundSecret[] {
  return [...text.matchAll(uuid)].map(({ 0: value, index }) => ({
    kind: 'api_key',
    certainty: 'possible',
    index,
    value,
  }))
}

/**
 * Returns a regular expression for our access tokens among JWTs: their `jti` begins with our word, which base64url
 * encodes in three ways depending on its offset.
 */
export function accessTokenPattern(): string {
  const word = Buffer.from(prefixOf('access_token_id'))
  const written = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), word]).toString('base64url')
    // Characters shared with their neighbors are omitted.
    return encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + word.length) * 8) / 6))
  })
  return `eyJ[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*(?:${written.join('|')})[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]+`
}

/**
 * Finds API keys by the words before them: assignments and settings named after this product, or after those that
 * existing clients use.
 */
export const apiKeyPattern = String.raw`(?i)(?:gatehouse|snyk)[A-Za-z0-9_. -]{0,30}["'\s:=]{1,4}(?:token )?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`
