import type { TSchema } from 'typebox'
import type { GitLocation } from '#foundation/git/git-location.ts'
import type { Credentials } from './credentials.ts'
import type { CheckedTarget } from './open-repository.ts'
import type { StoredIntegration } from './store.ts'

/** The context for finding a target or testing a connection. */
export interface SourceContext {
  readonly integration: StoredIntegration
  /** The integration's base URL, else the kind's own; empty for a kind that has none. */
  readonly baseUrl: string
  readonly credentials: Credentials | undefined
  /** Folders that the operator lets integrations read. */
  readonly localFolders: readonly string[]
  /** Asks the source's API. Throws `Problem` for what cannot be reached or answers with a failure of its own. */
  ask(url: string, headers?: Readonly<Record<string, string>>): Promise<SourceAnswer>
  findArchive(wanted: {
    id?: string | undefined
    name?: string | undefined
    digest?: string | undefined
  }): Promise<FoundArchive>
  /** The revision to read, even if a newer one exists. */
  readonly revision: string | undefined
}

export interface SourceAnswer {
  readonly status: number
  /** Undefined for what is no JSON. */
  readonly json: unknown
}

export interface FoundArchive {
  readonly id: string
  readonly name: string
  readonly digest: string
  readonly sizeBytes: number
  readonly isInBucket: boolean
}

/** The location of a target's files. */
export type RepositoryPlace =
  | { readonly kind: 'git'; readonly location: GitLocation }
  | { readonly kind: 'folder'; readonly path: string; readonly within: readonly string[] }
  | { readonly kind: 'archive'; readonly archive: FoundArchive }

export interface LocatedTarget {
  readonly displayName: string
  /** For people; null where there is nothing to look at. */
  readonly url: string | null
  /** Two imports speak of the same target when this is the same. Begins with the kind. */
  readonly sourceKey: string
  readonly place: RepositoryPlace
}

/** The forms of credentials: a token, or a user's name with a password. */
export type CredentialForm = 'token' | 'login'

/** A kind of source of repositories: a file that exports one of these, and a line in `kinds.ts`. */
export interface IntegrationKind {
  /** As the interface spells it. */
  readonly id: string
  readonly title: string
  /** For people who choose one: what it reads, and what its base URL is. */
  readonly description: string
  /** Supported credential forms; none for a kind without authentication. */
  readonly credentials: readonly CredentialForm[]
  /** `required` if credentials need a base URL, since they are sent only there. */
  readonly baseUrl: 'none' | 'optional' | 'required'
  /** The base URL of an integration that names none; empty when there is no such place. */
  readonly ownBaseUrl: string
  /** Its `target` in requests for imports. */
  readonly Target: TSchema
  /** A target that fits the schema, in one spelling. */
  check(target: never): CheckedTarget
  /** Finds what a checked target means. Throws `Problem`. */
  locate(context: SourceContext, target: never): Promise<LocatedTarget>
  /** Tests the connection. Returns a sentence. Throws `Problem` on failure. */
  test(context: SourceContext): Promise<string>
}

/** A kind whose `check` gives what its `locate` takes. */
export function defineKind<Asked, Checked extends object>(
  kind: Omit<IntegrationKind, 'check' | 'locate'> & {
    check(target: Asked): Omit<CheckedTarget, 'target'> & { readonly target: Checked }
    locate(context: SourceContext, target: Checked): Promise<LocatedTarget>
  },
): IntegrationKind {
  return kind as unknown as IntegrationKind
}
