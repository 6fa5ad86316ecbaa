import type { Answer, Outgoing } from '../outgoing/outgoing.ts'
import { OutgoingFailed, OutgoingRefused } from '../outgoing/outgoing-errors.ts'
import { parsePlainUrl } from '../outgoing/plain-url.ts'
import { Problem } from '../problem.ts'
import type { GitCredentials } from './git-location.ts'

const SERVICE = '/info/refs'
const ADVERTISEMENT = 'application/x-git-upload-pack-advertisement'
const MAX_ADVERTISED_BYTES = 16 * 1024 * 1024
const TIMEOUT_MS = 30_000

/** Where a repository is, after redirects, and whom it is shown to. */
export interface Discovered {
  /** Without a slash at its end. */
  readonly url: URL
  /** What git needs to say there; undefined for what everybody may read. */
  readonly credentials: GitCredentials | undefined
}

/**
 * Asks for a repository the way git begins (gitprotocol-http(5), "Smart Clients"), with our own client: every address and
 * redirect is judged, and what is wrong is known by its status. What is open to all is read without credentials, and
 * they are never shown to another server than the one they are for.
 */
export async function discoverRepository(
  outgoing: Outgoing,
  repository: string,
  { credentials, signal }: { credentials?: GitCredentials | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Discovered> {
  const url = parsePlainUrl(repository.replace(/\/+$/, ''))
  if (url === undefined) throw new Problem('repository-unreadable', 'The address of the repository is no URL')
  const asked = `${url.href.replace(/\/+$/, '')}${SERVICE}?service=git-upload-pack`
  try {
    const open = await ask(outgoing, asked, { signal })
    if (isRepository(open)) return { url: repositoryOf(open), credentials: undefined }
    if (credentials === undefined) throw refusalOf(open, credentials)
    const authorized = await ask(outgoing, asked, { signal, credentials })
    if (!isRepository(authorized)) throw refusalOf(authorized, credentials)
    const found = repositoryOf(authorized)
    return { url: found, credentials: found.origin === url.origin ? credentials : undefined }
  } catch (error) {
    throw toProblem(error)
  }
}

/** What our own client says, for whoever asked for the repository. */
export function toProblem(error: unknown): unknown {
  if (error instanceof OutgoingRefused) return new Problem('repository-unreadable', error.message, { cause: error })
  if (!(error instanceof OutgoingFailed)) return error
  if (error.code === 'aborted')
    return new Problem('unavailable', 'Reading the repository was stopped', { cause: error })
  if (error.code === 'too-large') {
    const detail = 'The server of the repository sends a longer list of references than is read'
    return new Problem('repository-too-large', detail, { cause: error })
  }
  return new Problem('repository-unreachable', error.message, { cause: error })
}

function toBasicAuthorization({ username, password }: GitCredentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

type Ask = { readonly signal: AbortSignal | undefined; readonly credentials?: GitCredentials }

function ask(outgoing: Outgoing, url: string, { signal, credentials }: Ask): Promise<Answer> {
  const headers = {
    'git-protocol': 'version=2',
    ...(credentials && { authorization: toBasicAuthorization(credentials) }),
  }
  return outgoing.get(url, { headers, accept: '*/*', maxBytes: MAX_ADVERTISED_BYTES, timeoutMs: TIMEOUT_MS, signal })
}

function isRepository({ status, headers }: Answer): boolean {
  return status === 200 && headers['content-type']?.split(';')[0]?.trim().toLowerCase() === ADVERTISEMENT
}

function repositoryOf({ url }: Answer): URL {
  const found = new URL(url)
  if (!found.pathname.endsWith(SERVICE))
    throw new Problem('repository-unreadable', 'The server redirects to something that is no repository')
  found.pathname = found.pathname.slice(0, -SERVICE.length)
  found.search = ''
  return found
}

function refusalOf({ status }: Answer, credentials: GitCredentials | undefined): Problem {
  if (status === 401 || status === 403) {
    const detail = credentials
      ? `The server refuses the integration’s credentials (${status})`
      : `The server asks for credentials (${status}), and the integration has none`
    return new Problem('repository-unreadable', detail)
  }
  if (status === 404 || status === 410)
    return new Problem('repository-unreadable', `There is no repository, or it may not be read (${status})`)
  if (status === 429 || status >= 500)
    return new Problem('repository-unreachable', `The server of the repository answers ${status}`)
  return new Problem('repository-unreadable', `What is there is no git repository (${status})`)
}
