import type { RepositorySource } from '#foundation/repositories/repository-source.ts'
import type { StoredIntegration } from './store.ts'

/** A requested target, validated without network access. */
export interface CheckedTarget {
  /** Display name, for example `owner/name`. */
  readonly name: string
  /** Undefined for the default branch. */
  readonly branch: string | undefined
  /** Stored input of `find` and `open`: JSON without secrets. */
  readonly target: object
}

export interface FoundTarget {
  readonly origin: string
  readonly sourceKey: string
  readonly displayName: string
  readonly url: string | null
  readonly isPrivate: boolean
  /** The requested or default branch; null if the source has no branches. */
  readonly reference: string | null
  readonly revision: string | null
}

export interface OpenRepository {
  readonly resolved: FoundTarget
  readonly source: RepositorySource
}

export interface OpenOptions {
  /** Reads this revision even if the branch has moved since. */
  readonly revision?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Repositories of integrations. Throws `Problem`s for the caller. */
export interface Repositories {
  /** Parses a target. Throws 400 if it does not match the integration's kind, 422 for a kind that is not imported. */
  check(integration: StoredIntegration, target: unknown): CheckedTarget
  /** Finds a target at its source. Throws if it does not exist, or cannot be read or reached. */
  find(integration: StoredIntegration, target: unknown, options?: OpenOptions): Promise<FoundTarget>
  /** The caller must close the returned source. */
  open(integration: StoredIntegration, target: unknown, options?: OpenOptions): Promise<OpenRepository>
}
