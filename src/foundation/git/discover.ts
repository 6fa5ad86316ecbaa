import type { Answer, Outgoing } from '../outgoing/outgoing.ts'
import { OutgoingFailed, OutgoingRefused } from '../outgoing/outgoing-errors.ts'
import { parsePlainUrl } from '../outgoing/plain-url.ts'
import { Problem } from '../problem.ts'
import type { GitCredentials } from './git-location.ts'

const SERVICE = '/info/refs'
const ADVERTISEMENT = 'application/x-git-upload-pack-advertisement'
const MAX_ADVERTISED_BYTES = 16 * 1024 * 1024
const TIMEOUT_MS = 30_000

/** The address of a repository after redirects, and its visibility. */
export interface Discovered {
  /** Without a trailing slash. */
  readonly url: URL
  /** The credentials git needs there; undefined for a public repository. */
  readonly credentials: GitCredentials | undefined
}

/**
 * Looks for a repository as git does (gitprotocol-http(5), "Smart Clients"), but with our own client, which checks
 * every address and redirect and reports the HTTP status of failures. Reads public repositories without credentials,
 * and never sends credentials to a server other than theirs.
 */
export async function discoverRepository(
  outgoing: Outgoing,
  repository: string,
  { credentials, signal }: { credentials?: GitCredentials | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Discovered> {
  const url = parsePlainUrl(repository.replace(/\/+$/, ''))
  if (url === undefined) throw new Problem('repository-unreadable', 'The address of the repository is not a URL')
  const address = `${url.href.replace(/\/+$/, '')}${SERVICE}?service=git-upload-pack`
  try {
    const open = await ask(outgoing, address, { signal })
    if (isRepository(open)) return { url: repositoryOf(open), credentials: undefined }
    if (credentials === undefined) throw refusalOf(open, credentials)
    const authorized = await ask(outgoing, address, { signal, credentials })
    if (!isRepository(authorized)) throw refusalOf(authorized, credentials)
    const repositoryUrl = repositoryOf(authorized)
    return { url: repositoryUrl, credentials: repositoryUrl.origin === url.origin ? credentials : undefined }
  } catch (error) {
    throw toProblem(error)
  }
}

/** Translates an error of our own client for the caller. */
export function toProblem(error: unknown): unknown {
  if (error instanceof OutgoingRefused) return new Problem('repository-unreadable', error.message, { cause: error })
  if (!(error instanceof OutgoingFailed)) return error
  if (error.code === 'aborted')
    return new Problem('unavailable', 'Reading the repository was stopped', { cause: error })
  if (error.code === 'too-large') {
    const detail = 'The repository has too many references'
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
  const repositoryUrl = new URL(url)
  if (!repositoryUrl.pathname.endsWith(SERVICE))
    throw new Problem('repository-unreadable', 'The server redirects to a URL that is not a repository')
  repositoryUrl.pathname = repositoryUrl.pathname.slice(0, -SERVICE.length)
  repositoryUrl.search = ''
  return repositoryUrl
}

function refusalOf({ status }: Answer, credentials: GitCredentials | undefined): Problem {
  if (status === 401 || status === 403) {
    const detail = credentials
      ? `The server refused the integration’s credentials (HTTP ${status}). Replace the credentials`
      : `The server requires credentials (HTTP ${status}). Add credentials to the integration`
    return new Problem('repository-unreadable', detail)
  }
  if (status === 404 || status === 410)
    return new Problem(
      'repository-unreadable',
      `The repository does not exist or the credentials may not read it (HTTP ${status})`,
    )
  if (status === 429 || status >= 500)
    return new Problem('repository-unreachable', `The repository’s server returned HTTP ${status}`)
  return new Problem('repository-unreadable', `Not a git repository (HTTP ${status})`)
}
