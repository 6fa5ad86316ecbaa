import { Type } from 'typebox'
import type { GitCredentials } from '#foundation/git/git-location.ts'
import { Problem } from '#foundation/problem.ts'
import type { Credentials } from './credentials.ts'
import type { CredentialForm, LocatedTarget, SourceAnswer, SourceContext } from './integration-kind.ts'

// One part of a path: neither a way up nor a way out.
const SEGMENT = '^(?!\\.{1,2}$)[^/\\\\?#%\\u0000-\\u001f\\u007f]+$'

/** The name of an owner, a project or a repository. */
export function segment(description: string) {
  return Type.String({ minLength: 1, maxLength: 200, pattern: SEGMENT, description })
}

export const Branch = Type.Union([Type.String({ maxLength: 250 }), Type.Null()], {
  description: 'Empty or absent for the default branch; HEAD for the commit that HEAD names, on a branch or not',
})

export function toBranch(sent: string | null | undefined): string | undefined {
  return sent === null || sent === undefined || sent === '' ? undefined : sent
}

/** A base URL with parts of a path below it. */
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

export const TOKEN: readonly CredentialForm[] = ['token']
export const LOGIN_OR_TOKEN: readonly CredentialForm[] = ['login', 'token']

interface HostedRepository {
  readonly kind: string
  readonly displayName: string
  readonly cloneUrl: string
  readonly webUrl: string
  /** A stable identity, if it differs from the address. */
  readonly identity?: string
}

/** A repository on a server that is read with git over HTTP. */
export function toHosted(found: HostedRepository, git: GitCredentials | undefined): LocatedTarget {
  return {
    displayName: found.displayName,
    url: found.webUrl,
    sourceKey: `${found.kind} ${found.identity ?? found.cloneUrl.toLowerCase()}`,
    place: { kind: 'git', location: { url: found.cloneUrl, credentials: git } },
  }
}

/** Throws unless the source's API answered 200. */
export function requireOk({ status }: SourceAnswer, what: string): void {
  if (status === 200) return
  if (status === 401 || status === 403)
    throw new Problem(
      'repository-unreadable',
      `The source refuses the integration’s credentials for ${what} (${status})`,
    )
  if (status === 404)
    throw new Problem(
      'repository-unreadable',
      `The source has no ${what}, or the credentials may not read it (HTTP 404).`,
    )
  throw new Problem('repository-unreadable', `The source returned HTTP ${status} for ${what}.`)
}

/** The sentence of a test that went well. */
export function connected(context: SourceContext, account: unknown): string {
  const server = new URL(context.baseUrl).host
  if (context.credentials === undefined) return `${server} answers; without credentials it shows what is public`
  const isName = typeof account === 'string' && /^[\x21-\x7e]{1,100}$/.test(account)
  return isName ? `${server} knows the credentials as ${account}` : `${server} accepts the credentials`
}

/** A member of what an API answered; undefined for anything unexpected. */
export function memberOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined
}
