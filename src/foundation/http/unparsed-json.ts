import secureJson from 'secure-json-parse'
import { Problem } from '../problem.ts'

/** A member of a body that is too large to be parsed beside other requests: its bytes, for another thread to parse. */
export class UnparsedJson {
  readonly bytes: Uint8Array
  /** At most so many values. */
  readonly values: number
  /** Characters of the body before it, for positions in messages. */
  readonly offset: number
  /** Of the whole body; undefined when nobody needs it. */
  readonly #digest: string | undefined

  constructor(bytes: Uint8Array, { values, offset, digest }: { values: number; offset: number; digest?: string }) {
    this.bytes = bytes
    this.values = values
    this.offset = offset
    this.#digest = digest
  }

  /** Stands for the content where requests are compared. */
  toJSON(): string {
    if (this.#digest === undefined) throw new Error('no digest was made of this body')
    return this.#digest
  }
}

/** What a route with a large member finds in its place, whatever the schema says. */
export function asUnparsed(member: unknown): UnparsedJson {
  if (member instanceof UnparsedJson) return member
  throw new Error('the route declares no large member')
}

/** Parses JSON in UTF-8. `placeOf` translates a position in these bytes to one in the body. */
export function parseJson(bytes: Uint8Array, placeOf: (position: number) => number = (position) => position): unknown {
  try {
    // A byte order mark is tolerated; anything that is not UTF-8 is not.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return secureJson.parse(text, { protoAction: 'error', constructorAction: 'error' })
  } catch (cause) {
    // Not the cause itself, which quotes the body: that may hold a password, and causes are logged.
    const at = cause instanceof SyntaxError ? /position (\d+)/.exec(cause.message)?.[1] : undefined
    const place = at === undefined ? '' : ` (at character ${placeOf(Number(at))})`
    throw new Problem('body-unreadable', `The body is not JSON in UTF-8${place}`)
  }
}
