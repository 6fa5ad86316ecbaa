import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { OutgoingRefused } from '#foundation/outgoing/outgoing-errors.ts'
import { Problem } from '#foundation/problem.ts'

/**
 * Parses and normalizes a base URL, without query and fragment. Throws 400 for an address to which requests are not
 * allowed.
 */
export function parseBaseUrl(outgoing: Pick<Outgoing, 'judge'>, text: string, pointer: string): string {
  try {
    // Users often omit the scheme.
    const url = outgoing.judge(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
    url.search = ''
    url.hash = ''
    return url.href.replace(/\/+$/, '')
  } catch (error) {
    if (!(error instanceof OutgoingRefused)) throw error
    throw new Problem('invalid-request', `${pointer}: ${error.message}`, { source: { pointer }, cause: error })
  }
}
