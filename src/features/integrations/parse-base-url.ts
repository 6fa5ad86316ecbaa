import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { OutgoingRefused } from '#foundation/outgoing/outgoing-errors.ts'
import { Problem } from '#foundation/problem.ts'

/** In one spelling, without what follows the path. Throws 400 for a place that will never be asked. */
export function parseBaseUrl(outgoing: Pick<Outgoing, 'judge'>, text: string, pointer: string): string {
  try {
    // people leave the scheme out where a form asks for a server
    const url = outgoing.judge(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
    url.search = ''
    url.hash = ''
    return url.href.replace(/\/+$/, '')
  } catch (error) {
    if (!(error instanceof OutgoingRefused)) throw error
    throw new Problem('invalid-request', `${pointer}: ${error.message}`, { source: { pointer }, cause: error })
  }
}
