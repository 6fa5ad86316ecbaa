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
    if (this.#digest === undefined) throw new Error('no digest was made of this body')
    return this.#digest
  }
}

/** Returns the large member that a route receives, whatever its schema says. */
export function asUnparsed(member: unknown): UnparsedJson {
  if (member instanceof UnparsedJson) return member
  throw new Error('the route declares no large member')
}

/** Parses JSON in UTF-8. `placeOf` maps a position in these bytes to the body. */
export function parseJson(bytes: Uint8Array, placeOf: (position: number) => number = (position) => position): unknown {
  try {
    // Tolerates a byte order mark; refuses invalid UTF-8.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return secureJson.parse(text, { protoAction: 'error', constructorAction: 'error' })
  } catch (cause) {
    // Not the cause itself, which quotes the body: causes are logged, and a body may hold a password.
    const at = cause instanceof SyntaxError ? /position (\d+)/.exec(cause.message)?.[1] : undefined
    const place = at === undefined ? '' : ` (at character ${placeOf(Number(at))})`
    throw new Problem('body-unreadable', `The body is not JSON in UTF-8${place}`)
  }
}
