import secureJson from 'secure-json-parse'
import { Problem } from '#foundation/problem.ts'

/** A body member too large to parse beside other requests: its bytes, for another thread. */
export class UnparsedJson {
  readonly bytes: Uint8Array
  /** Upper bound of its values. */
  readonly values: number
  /** Characters before it in the body, for positions in messages. */
  readonly offset: number
  /** Digest of the whole body; undefined if not needed. */
  readonly #digest: string | undefined

  constructor(bytes: Uint8Array, { values, offset, digest }: { values: number; offset: number; digest?: string }) {
    this.bytes = bytes
    this.values = values
    this.offset = offset
    this.#digest = digest
  }

  /** Replaces the content where requests are compared. */
  toJSON(): string {
    if (this.#digest === undefined) throw new Error('this body has no digest')
    return this.#digest
  }
}

/** Returns the large member that a route receives, whatever its schema says. */
export function asUnparsed(member: unknown): UnparsedJson {
  if (member instanceof UnparsedJson) return member
  throw new Error('the route declares no large member')
}

/** Maximum number of values that are checked one by one for forbidden keys; of larger bodies, the text is searched. */
const MAX_VALUES_SEEN = 20_000
const FORBIDDEN = { protoAction: 'error', constructorAction: 'error' } as const

export interface ParseOptions {
  /** Maps a position in these bytes to the body. */
  placeOf?(position: number): number
  /** Upper bound of the values, if one is known. */
  readonly values?: number
}

/** Parses JSON in UTF-8. Throws `Problem`, also for keys that would change prototypes. */
export function parseJson(bytes: Uint8Array, { placeOf = (position) => position, values }: ParseOptions = {}): unknown {
  try {
    // Tolerates a byte order mark; refuses invalid UTF-8.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return values !== undefined && values <= MAX_VALUES_SEEN ? parseFew(text) : secureJson.parse(text, FORBIDDEN)
  } catch (cause) {
    // Not the cause itself, which quotes the body: causes are logged, and a body may hold a password.
    const at = cause instanceof SyntaxError ? /position (\d+)/.exec(cause.message)?.[1] : undefined
    const place = at === undefined ? '' : ` (at character ${placeOf(Number(at))})`
    throw new Problem('body-unreadable', `The body is not JSON in UTF-8${place}`)
  }
}

/**
 * Parses a body of few values without searching its text for forbidden keys, which takes longer than parsing half of a
 * large string.
 */
function parseFew(text: string): unknown {
  const parsed: unknown = JSON.parse(text)
  return typeof parsed === 'object' && parsed !== null ? secureJson.scan(parsed, FORBIDDEN) : parsed
}
