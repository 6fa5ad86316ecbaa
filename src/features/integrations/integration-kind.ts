import type { TSchema } from 'typebox'
import type { GitLocation } from '#foundation/git/git-location.ts'
import type { ArchiveInput, ArchiveRow } from './archives-store.ts'
import type { Credentials } from './credentials.ts'
import type { CheckedTarget } from './open-repository.ts'
import type { StoredIntegration } from './store.ts'

export interface SourceContext {
  readonly integration: StoredIntegration
  /** The integration's base URL, or the kind's default; empty if there is none. */
  readonly baseUrl: string
  readonly credentials: Credentials | undefined
  /** Folders that the operator allows integrations to read. */
  readonly localFolders: readonly string[]
  /** Sends a request to the source's API. Throws `Problem` if it cannot be reached or returns a server error. */
  ask(url: string, headers?: Readonly<Record<string, string>>): Promise<SourceAnswer>
  findArchive(query: ArchiveInput): Promise<FoundArchive>
  /** The revision to read, even if a newer one exists. */
  readonly revision: string | undefined
}

export interface SourceAnswer {
  readonly status: number
  /** Undefined if the body is not JSON. */
  readonly json: unknown
}

export type FoundArchive = Pick<ArchiveRow, 'id' | 'name' | 'digest' | 'size_bytes' | 'is_in_bucket'>

export type RepositoryPlace =
  | { readonly kind: 'git'; readonly location: GitLocation }
  | { readonly kind: 'folder'; readonly path: string; readonly within: readonly string[] }
  | { readonly kind: 'archive'; readonly archive: FoundArchive }

export interface LocatedTarget {
  readonly displayName: string
  /** Web page of the target; null if there is none. */
  readonly url: string | null
  /** Identity of the target, which begins with the kind: imports with the same key are of the same target. */
  readonly sourceKey: string
  readonly place: RepositoryPlace
}

/** The forms of credentials: a token, or a user's name with a password. */
export type CredentialForm = 'token' | 'login'

/** A kind of repository source: one file that exports it, and one line in `kinds.ts`. */
export interface IntegrationKind {
  /** The value of `kind` in the interface. */
  readonly id: string
  readonly title: string
  /** Shown to users who choose a kind: what it reads, and what its base URL is. */
  readonly description: string
  /** Supported credential forms; none for a kind without authentication. */
  readonly credentials: readonly CredentialForm[]
  /** `required` if credentials need a base URL, since they are sent only there. */
  readonly baseUrl: 'none' | 'optional' | 'required'
  /** The default base URL; empty if there is none. */
  readonly ownBaseUrl: string
  /** Schema of `target` in requests for imports. */
  readonly Target: TSchema
  /** Returns a valid target in normal form. */
  check(target: never): CheckedTarget
  /** Finds the repository of a checked target. Throws `Problem`. */
  locate(context: SourceContext, target: never): Promise<LocatedTarget>
  /** Tests the connection. Returns a message for the user. Throws `Problem` on failure. */
  test(context: SourceContext): Promise<string>
}

/** Defines a kind; ties the result of `check` to the parameter of `locate`. */
export function defineKind<Asked, Checked extends object>(
  kind: Omit<IntegrationKind, 'check' | 'locate'> & {
    check(target: Asked): Omit<CheckedTarget, 'target'> & { readonly target: Checked }
    locate(context: SourceContext, target: Checked): Promise<LocatedTarget>
  },
): IntegrationKind {
  return kind as unknown as IntegrationKind
}
