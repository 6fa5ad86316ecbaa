import { Problem } from '#foundation/problem.ts'
import { endOfText, toWorded, type WordedBytes } from './end-of-text.ts'

export interface JsonLimits {
  /** Nesting depth of objects and lists. */
  readonly maxDepth: number
  /** Values outside the unparsed member. */
  readonly maxValues: number
  /** A member of the outermost object that may be larger and is not parsed with the rest. */
  readonly member?: LargeMember
}

export interface LargeMember {
  readonly name: string
  readonly maxValues: number
}

/** Byte range of the large member's value. */
export interface Span {
  readonly start: number
  readonly end: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a

/** One of four kinds per byte outside strings; other bytes are skipped. */
const kinds = new Uint8Array(256)
const [OPENS, CLOSES, SEPARATES, QUOTES] = [1, 2, 3, 4]
for (const byte of '[{') kinds[byte.charCodeAt(0)] = OPENS
for (const byte of ']}') kinds[byte.charCodeAt(0)] = CLOSES
kinds[COMMA] = kinds[COLON] = SEPARATES
kinds[QUOTE] = QUOTES

/**
 * Counts the depth and values of JSON as its bytes arrive, to refuse too deep or too wide bodies early. Costs about
 * one nanosecond per byte and remembers only the position of the large member. Malformed text passes and fails in the
 * parser.
 */
export class JsonShape {
  readonly #limits: JsonLimits
  readonly #name: Buffer | undefined
  #position = 0
  #depth = 0
  #isInText = false
  #isEscaped = false
  #values = 0
  #memberValues = 0
  /** Start of the last string at depth 1, to recognize the large member's name. */
  #textStart = 0
  #textMatches = false
  #start = -1
  #end = -1

  constructor(limits: JsonLimits) {
    this.#limits = limits
    this.#name = limits.member && Buffer.from(limits.member.name)
  }

  get member(): Span | undefined {
    return this.#end === -1 ? undefined : { start: this.#start, end: this.#end }
  }

  /** Upper bound of values in the large member: its lists, objects and commas. */
  get memberValues(): number {
    return this.#memberValues
  }

  /** Scans further bytes. Throws `Problem` at the first byte beyond a limit. */
  scan(bytes: Uint8Array): void {
    const worded = toWorded(bytes)
    for (let at = 0; at < bytes.length; ) {
      at = this.#isInText ? this.#passText(worded, at) : this.#passStructure(bytes, at)
    }
    this.#position += bytes.length
  }

  #passText(worded: WordedBytes, from: number): number {
    const { bytes } = worded
    let at = from
    if (this.#isEscaped) {
      this.#isEscaped = false
      at++
    }
    if (this.#depth === 1 && this.#name) return this.#passName(bytes, from, at)
    const end = endOfText(worded, at)
    this.#isInText = end >= bytes.length
    this.#isEscaped = end > bytes.length
    return Math.min(bytes.length, end + 1)
  }

  /** The same for a string that might be the large member's name. */
  #passName(bytes: Uint8Array, from: number, past: number): number {
    if (past > from) this.#textMatches = false
    const name = this.#name!
    for (let at = past; at < bytes.length; at++) {
      const byte = bytes[at]
      const index = this.#position + at - this.#textStart
      if (byte === QUOTE) {
        this.#textMatches &&= index === name.length
        this.#isInText = false
        return at + 1
      }
      if (byte !== name[index]) this.#textMatches = false
      if (byte === BACKSLASH) at++
      if (at >= bytes.length) this.#isEscaped = true
    }
    return bytes.length
  }

  #passStructure(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const kind = kinds[bytes[at]!]
      if (kind === 0) continue
      if (kind === QUOTES) {
        this.#isInText = true
        this.#textStart = this.#position + at + 1
        this.#textMatches = this.#depth === 1
        return at + 1
      }
      if (kind === SEPARATES) this.#separate(bytes[at]!, this.#position + at)
      else if (kind === OPENS) this.#open()
      else this.#close(this.#position + at)
    }
    return bytes.length
  }

  #open(): void {
    this.#depth++
    if (this.#depth > this.#limits.maxDepth) {
      throw new Problem(
        'invalid-request',
        `The body nests lists and objects more than ${this.#limits.maxDepth} levels deep. Send it flatter`,
      )
    }
    this.#count()
  }

  #close(position: number): void {
    if (this.#depth === 1 && this.#isInMember) this.#end = position
    this.#depth--
  }

  #separate(byte: number, position: number): void {
    if (byte === COMMA) {
      if (this.#depth === 1 && this.#isInMember) this.#end = position
      this.#count()
    } else if (this.#depth === 1 && this.#textMatches && this.#name) {
      if (this.#start !== -1)
        throw new Problem('invalid-request', `The body contains ${this.#limits.member!.name} twice`)
      this.#start = position + 1
      this.#textMatches = false
    }
  }

  get #isInMember(): boolean {
    return this.#start !== -1 && this.#end === -1
  }

  #count(): void {
    const { member, maxValues } = this.#limits
    if (this.#isInMember) {
      if (++this.#memberValues > member!.maxValues) throw tooMany(member!.maxValues, ` in ${member!.name}`)
    } else if (++this.#values > maxValues) throw tooMany(maxValues, member ? ` outside of ${member.name}` : '')
  }
}

function tooMany(most: number, where: string): Problem {
  return new Problem('too-large', `The body has more than ${most.toLocaleString('en')} values${where}. Send fewer`)
}
