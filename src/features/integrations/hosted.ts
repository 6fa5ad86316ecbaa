import { type Static, Type } from 'typebox'
import type { GitCredentials } from '#foundation/git/git-location.ts'
import { Problem } from '#foundation/problem.ts'
import type { Credentials } from './credentials.ts'
import type { CredentialForm, LocatedTarget, SourceAnswer, SourceContext } from './integration-kind.ts'

// One path segment, which cannot navigate: neither `..` nor a separator.
const SEGMENT = '^(?!\\.{1,2}$)[^/\\\\?#%\\u0000-\\u001f\\u007f]+$'

export function segment(description: string) {
  return Type.String({ minLength: 1, maxLength: 200, pattern: SEGMENT, description })
}

export const Branch = Type.Union([Type.String({ maxLength: 250 }), Type.Null()], {
  description: 'Empty or absent for the default branch; HEAD for the commit that HEAD names, on a branch or not',
})

export function toBranch(sent: string | null | undefined): string | undefined {
  return sent === null || sent === undefined || sent === '' ? undefined : sent
}

export function below(baseUrl: string, ...parts: readonly string[]): string {
  return [baseUrl, ...parts.map(encodeURIComponent)].join('/')
}

/** Passes a token to git as the password of the source's token user. */
export function gitCredentialsOf(credentials: Credentials, tokenUser: string): GitCredentials {
  return credentials.token === undefined
    ? { username: credentials.username, password: credentials.password }
    : { username: tokenUser, password: credentials.token }
}

export function toBasic(credentials: Credentials, tokenUser: string): Readonly<Record<string, string>> {
  const { username, password } = gitCredentialsOf(credentials, tokenUser)
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

/** Sends a token as such, and a login by the basic scheme. */
export function toAuthorization(credentials: Credentials | undefined, tokenUser: string) {
  if (credentials?.token === undefined) return credentials && toBasic(credentials, tokenUser)
  return { authorization: `Bearer ${credentials.token}` }
}

export const OwnerAndName = Type.Object({
  owner: segment('User or organization'),
  name: segment('Repository'),
  branch: Type.Optional(Branch),
})

export function checkOwnerAndName({ owner, name, branch }: Static<typeof OwnerAndName>) {
  return { name: `${owner}/${name}`, branch: toBranch(branch), target: { owner, name, branch: toBranch(branch) } }
}

export const TOKEN: readonly CredentialForm[] = ['token']
export const LOGIN_OR_TOKEN: readonly CredentialForm[] = ['login', 'token']

interface HostedRepository {
  readonly kind: string
  readonly displayName: string
  readonly cloneUrl: string
  readonly webUrl: string
  /** A stable identity of the repository, if its address may change. */
  readonly identity?: string
}

export function toHosted(repository: HostedRepository, git: GitCredentials | undefined): LocatedTarget {
  return {
    displayName: repository.displayName,
    url: repository.webUrl,
    sourceKey: `${repository.kind} ${repository.identity ?? repository.cloneUrl.toLowerCase()}`,
    place: { kind: 'git', location: { url: repository.cloneUrl, credentials: git } },
  }
}

/** Throws unless the source's API answered 200. */
export function requireOk({ status }: SourceAnswer, what: string): void {
  if (status === 200) return
  if (status === 401 || status === 403)
    throw new Problem(
      'repository-unreadable',
      `The source refused the integration’s credentials for ${what} (HTTP ${status}). Replace the credentials`,
    )
  if (status === 404)
    throw new Problem(
      'repository-unreadable',
      `The source has no ${what}, or the credentials may not read it (HTTP 404).`,
    )
  throw new Problem('repository-unreadable', `The source returned HTTP ${status} for ${what}.`)
}

/**
 * Throws unless the answer is the source's API speaking: proxies and sign-in pages also return 200. `member` names a
 * text or a list of the documented answer; undefined for an answer that is a list itself.
 */
export function requireAnswer({ json }: SourceAnswer, member: string | undefined, api: string): void {
  const value = member === undefined ? json : memberOf(json, member)
  if (Array.isArray(value) || (member !== undefined && typeof value === 'string')) return
  throw new Problem(
    'repository-unreadable',
    `The source returned HTTP 200, but not an answer of ${api}. Check the base URL, and whether a proxy or a sign-in page is in between.`,
  )
}

export function connected(context: SourceContext, account: unknown): string {
  const server = new URL(context.baseUrl).host
  if (context.credentials === undefined)
    return `Connected to ${server} without credentials: only public repositories are readable`
  const isName = typeof account === 'string' && /^[\x21-\x7e]{1,100}$/.test(account)
  return isName ? `Connected to ${server} as ${account}` : `Connected to ${server}; it accepts the credentials`
}

/** Returns a member of an API response; undefined for anything unexpected. */
export function memberOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined
}
