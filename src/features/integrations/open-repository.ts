import type { RepositorySource } from '#foundation/repositories/repository-source.ts'
import type { StoredIntegration } from './store.ts'

/** A requested target, validated without network access. */
export interface CheckedTarget {
  /** Display name: `owner/name` and similar. */
  readonly name: string
  /** Undefined for the source's own default. */
  readonly branch: string | undefined
  /** Stored input of `find` and `open`: JSON without secrets. */
  readonly target: object
}

/** A target that is there, as it is stored. */
export interface FoundTarget {
  readonly origin: string
  readonly sourceKey: string
  readonly displayName: string
  readonly url: string | null
  readonly isPrivate: boolean
  /** The branch that was asked for, or the default one; null where there are none. */
  readonly reference: string | null
  readonly revision: string | null
}

export interface OpenRepository {
  readonly found: FoundTarget
  readonly source: RepositorySource
}

export interface OpenOptions {
  /** To read what was read before, though the branch moved on. */
  readonly revision?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Repositories of integrations. Throws `Problem`s for the caller. */
export interface Repositories {
  /** Throws 400 for what does not fit the integration's kind, 422 for a kind whose targets are not imported. */
  check(integration: StoredIntegration, target: unknown): CheckedTarget
  /** Asks the source: throws when it is not there, not readable or not reachable. */
  find(integration: StoredIntegration, target: unknown, options?: OpenOptions): Promise<FoundTarget>
  /** The source must be closed. */
  open(integration: StoredIntegration, target: unknown, options?: OpenOptions): Promise<OpenRepository>
}
