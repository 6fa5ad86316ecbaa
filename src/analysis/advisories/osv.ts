import type { Registry } from '../ecosystems/ecosystem.ts'

/** The members of an OSV record that we use; spelled as in the OSV schema (https://ossf.github.io/osv-schema/). */
export interface OsvRecord {
  readonly id: string
  readonly modified: string
  readonly published?: string
  readonly withdrawn?: string
  readonly aliases?: readonly string[]
  readonly summary?: string
  readonly details?: string
  readonly severity?: readonly OsvSeverity[]
  readonly affected: readonly OsvAffected[]
  readonly references?: readonly { readonly type: string; readonly url: string }[]
  readonly credits?: readonly { readonly name: string }[]
  readonly database_specific?: {
    readonly severity?: string
    readonly cwe_ids?: readonly string[]
    /** When the National Vulnerability Database published it. */
    readonly nvd_published_at?: string
  }
}

export interface OsvSeverity {
  readonly type: 'CVSS_V2' | 'CVSS_V3' | 'CVSS_V4' | (string & {})
  readonly score: string
}

export interface OsvAffected {
  readonly package: { readonly ecosystem: Registry | (string & {}); readonly name: string }
  readonly severity?: readonly OsvSeverity[]
  readonly ranges?: readonly OsvRange[]
  readonly versions?: readonly string[]
  /** Says in words what `ranges` say in events; never matched. */
  readonly database_specific?: { readonly last_known_affected_version_range: string }
  readonly ecosystem_specific?: AffectedCode
}

/** The code that is vulnerable: Go's packages with their symbols, and functions in the manner of GitHub's records. */
export interface AffectedCode {
  readonly imports?: readonly { readonly path: string; readonly symbols: readonly string[] }[]
  readonly affected_functions?: readonly string[]
}

export interface OsvRange {
  readonly type: 'SEMVER' | 'ECOSYSTEM' | 'GIT' | (string & {})
  readonly repo?: string
  readonly events: readonly OsvEvent[]
}

/** Exactly one member is set. */
export interface OsvEvent {
  readonly introduced?: string
  readonly fixed?: string
  readonly last_affected?: string
  readonly limit?: string
}
