import type { Registry } from '#analysis/registries/registry.ts'

/**
 * The members of an OSV record that are used, in the spelling of the OSV schema (https://ossf.github.io/osv-schema/).
 */
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
    /** Publication time in the National Vulnerability Database. */
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
  /** Describes `ranges` in words; never matched. */
  readonly database_specific?: { readonly last_known_affected_version_range: string }
  readonly ecosystem_specific?: AffectedCode
}

/** Vulnerable code: Go packages with their symbols, and functions as in GitHub's records. */
export interface AffectedCode {
  readonly imports?: readonly { readonly path: string; readonly symbols: readonly string[] }[]
  readonly affected_functions?: readonly string[]
  /** The paths of all `imports`, also of those without symbols; missing if any of them was not kept. */
  readonly packages?: readonly string[]
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
