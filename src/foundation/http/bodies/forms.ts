import type { FastifyRequest } from 'fastify'
import { Problem } from '../../problem.ts'
import type { BodyReader, Payload } from './read-body.ts'

export const FORM = 'application/x-www-form-urlencoded'

/** All parameters of forms are short. */
const MAX_FORM_BYTES = 64 * 1024
const MAX_FIELDS = 1000

/**
 * Parameters of a form. An empty value counts as missing (RFC 6749 §3.2); a repeated parameter is an array, which no
 * schema accepts.
 */
export type Form = Readonly<Record<string, string | undefined>>

/** Reads the fields of a form. */
export async function readForm(bodies: BodyReader, request: FastifyRequest, payload: Payload): Promise<Form> {
  return parseForm(await bodies.read(request, payload, { maxBytes: MAX_FORM_BYTES, check: limitFields(MAX_FIELDS) }))
}

/** Counts the fields of a form as it arrives. */
export function limitFields(most: number): (bytes: Uint8Array) => void {
  let separators = 0
  return (bytes) => {
    for (const byte of bytes) if (byte === AMPERSAND) separators++
    if (separators >= most) throw new Problem('too-large', `The form has more than ${most} fields`)
  }
}

const AMPERSAND = 0x26

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** An object without a prototype. Created by a constructor, since V8 reads `Object.create(null)` slowly. */
function EmptyForm(this: object): void {}
EmptyForm.prototype = Object.create(null)
const NewForm = EmptyForm as unknown as new () => Record<string, string | string[]>

function parseForm(body: Uint8Array): Form {
  const form = new NewForm()
  for (const [name, value] of new URLSearchParams(decode(body))) {
    if (value === '') continue
    if (value.includes('\0')) throw new Problem('body-unreadable', `${name} contains a NUL character`)
    const sent = form[name]
    form[name] = sent === undefined ? value : SENT_TWICE
  }
  return form as Form
}

/** Rejected by every schema, so its contents are never read. */
const SENT_TWICE: string[] = []

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body)
  } catch (cause) {
    throw new Problem('body-unreadable', 'The form is not UTF-8', { cause })
  }
}
