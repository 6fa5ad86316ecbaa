import type { ApiError } from './api/client.ts'
import { ClientFailure } from './failure.ts'
import { printable } from './printable.ts'

export const UNREADABLE = 'Check GATEHOUSE_URL, and whether server and command line have the same version.'

/** Describes a refusal, what to do about it, and the id under which the server logged the request. */
export function toFailure(error: ApiError, url: string): ClientFailure {
  if (error.status < 300) return new ClientFailure(sentenceOf(error.status, url), { cause: error })
  const said = error.faults.map(({ detail, at }) => (at === undefined ? detail : `${detail} (${at})`)).join('; ')
  const detail = said === '' ? '' : ` The server says: ${printable(said).replace(/\.?$/, '.')}`
  const id = error.requestId === undefined ? '' : ` Request id: ${printable(error.requestId)}.`
  return new ClientFailure(`${byCode(error.code, url) ?? sentenceOf(error.status, url)}${detail}${id}`, {
    cause: error,
  })
}

/** Returns a sentence that is more exact than that of the status. */
function byCode(code: string, url: string): string | undefined {
  if (code === 'name-taken') return 'The name is in use (409). Choose another one.'
  if (code !== 'route-not-found') return undefined
  return `${url} has no such operation (404). Set GATEHOUSE_URL to the base address of the server, or update the server.`
}

function sentenceOf(status: number, url: string): string {
  if (status < 300) return `${url} does not answer as a Gatehouse server. ${UNREADABLE}`
  if (status === 401) {
    return `${url} does not accept the key (401). Set GATEHOUSE_KEY to a valid one, or run "gatehouse login".`
  }
  if (status === 403) {
    return 'The key lacks a permission (403). Use another key, or ask an administrator; a browser login cannot manage credentials.'
  }
  if (status === 404) {
    return `Not found on ${url}, or not visible for this key (404). Check the id, GATEHOUSE_ORG and GATEHOUSE_URL, or update the server.`
  }
  if (status === 409)
    return 'The request conflicts with a change of someone else (409). Look at the current state, and try again.'
  if (status === 413) {
    return 'The files are too large for the server (413). Send fewer folders, or raise GATEHOUSE_BODY_LIMIT_BYTES or GATEHOUSE_ARCHIVE_MB.'
  }
  if (status === 429 || status === 503) return `The server is busy (${status}). Try again later.`
  if (status >= 300 && status < 400) {
    return `${url} redirects (${status}). Set GATEHOUSE_URL to the final address of the server.`
  }
  if (status >= 500) return `${url} failed (HTTP ${status}). Try again later, or give the operator the request id.`
  return `${url} refuses the request (HTTP ${status}). Correct it and try again.`
}
