import { type Cvss, type ExploitMaturity, findCvss, type Severity } from './cvss.ts'
import type { OsvAffected, OsvRecord } from './osv.ts'

export interface SeverityFacts {
  readonly severity: Severity
  /** Basis of the severity; `assumed` if no record of the vulnerability has any. */
  readonly basis: 'cvss' | 'database' | 'malicious' | 'assumed'
  /** The base score, if a vector decided the severity. */
  readonly cvssScore?: number
  readonly cvssV2?: string
  readonly cvssV3?: string
  readonly cvssV4?: string
  /** Maturity of exploit code; says nothing about attacks. */
  readonly exploitMaturity: ExploitMaturity
}

/**
 * The severity of an unrated vulnerability. The interface has no word for "unknown", and people often accept findings
 * below `high`: an unrated one must not pass because of that.
 */
const UNRATED: Severity = 'high'

const words: Readonly<Record<string, Severity>> = {
  CRITICAL: 'critical',
  HIGH: 'high',
  IMPORTANT: 'high',
  MODERATE: 'medium',
  MEDIUM: 'medium',
  LOW: 'low',
}

const severities: readonly Severity[] = ['low', 'medium', 'high', 'critical']

export interface Score {
  readonly cvssScore: number
  /** `vector`: the base score of a CVSS vector; `severity`: the lower bound of the severity's band. */
  readonly cvssScoreBasis: 'vector' | 'severity'
}

/** Lower bounds of the bands of CVSS 3 and 4 (FIRST, qualitative severity rating scale). */
const lowerBounds: Readonly<Record<Severity, number>> = { low: 0.1, medium: 4, high: 7, critical: 9 }

/** Returns a number for every vulnerability: the interface documents one, and typed clients fail without it. */
export function toScore({ severity, cvssScore }: { severity: Severity; cvssScore?: number | undefined }): Score {
  if (cvssScore !== undefined) return { cvssScore, cvssScoreBasis: 'vector' }
  return { cvssScore: lowerBounds[severity], cvssScoreBasis: 'severity' }
}

/** A record and its entries for the package in question. */
export interface RatedRecord {
  readonly record: OsvRecord
  readonly affected: readonly OsvAffected[]
}

/**
 * Rates a vulnerability by its first record with a vector, else by the first with a severity. A package's own rating
 * beats the record's. A score of 0 counts only if no record says more.
 */
export function toSeverity(records: readonly RatedRecord[]): SeverityFacts {
  const exploit = { exploitMaturity: exploitMaturityOf(records) }
  const word = firstWord(records)
  for (const rated of records) {
    const vectors = vectorsOf(rated).filter(({ rating }) => rating !== undefined)
    const decided = decide(vectors, wordOf(rated.record) ?? word)
    if (decided) return { ...decided, ...texts(vectors), ...exploit }
  }
  if (word !== undefined) return { severity: word, basis: 'database', ...exploit }
  const isMalicious = records.some(({ record }) => record.id.startsWith('MAL-'))
  if (isMalicious) return { severity: 'critical', basis: 'malicious', ...exploit }
  const harmless = records.map(vectorsOf).find((vectors) => vectors.length > 0)
  if (harmless) return { severity: 'low', basis: 'cvss', cvssScore: 0, ...texts(harmless), ...exploit }
  return { severity: UNRATED, basis: 'assumed', ...exploit }
}

/**
 * Chooses among vectors: CVSS 3 first, since the interface shows a version 3 vector beside the score; then 4, then 2.
 * Version 2 has no "critical", so a higher severity of the database wins.
 */
function decide(
  vectors: readonly Cvss[],
  word: Severity | undefined,
): Pick<SeverityFacts, 'severity' | 'basis' | 'cvssScore'> | undefined {
  const decisive = findVersion(vectors, '3') ?? findVersion(vectors, '4') ?? findVersion(vectors, '2')
  if (!decisive?.rating) return undefined
  const { rating, baseScore, version } = decisive
  const isWorse = word !== undefined && severities.indexOf(word) > severities.indexOf(rating)
  if (version === '2.0' && isWorse) return { severity: word, basis: 'database', cvssScore: baseScore }
  return { severity: rating, basis: 'cvss', cvssScore: baseScore }
}

function vectorsOf({ record, affected }: RatedRecord): Cvss[] {
  const own = affected.flatMap((entry) => entry.severity ?? [])
  const scores = own.length > 0 ? own : (record.severity ?? [])
  return scores.flatMap(({ score }) => findCvss(score) ?? [])
}

/** Returns the newest minor version, since each clarified the standard; of several such vectors the worst. */
function findVersion(vectors: readonly Cvss[], major: '2' | '3' | '4'): Cvss | undefined {
  const candidates = vectors.filter(({ version }) => version.startsWith(major))
  return candidates.sort((a, b) => b.version.localeCompare(a.version, 'en') || b.baseScore - a.baseScore)[0]
}

function texts(vectors: readonly Cvss[]): Pick<SeverityFacts, 'cvssV2' | 'cvssV3' | 'cvssV4'> {
  const v2 = findVersion(vectors, '2')
  const v3 = findVersion(vectors, '3')
  const v4 = findVersion(vectors, '4')
  return {
    ...(v2 && { cvssV2: v2.vector }),
    ...(v3 && { cvssV3: v3.vector }),
    ...(v4 && { cvssV4: v4.vector }),
  }
}

function firstWord(records: readonly RatedRecord[]): Severity | undefined {
  for (const { record } of records) {
    const word = wordOf(record)
    if (word !== undefined) return word
  }
  return undefined
}

function wordOf({ database_specific: specific }: OsvRecord): Severity | undefined {
  const word = specific?.severity?.toUpperCase()
  return word === undefined ? undefined : words[word]
}

function exploitMaturityOf(records: readonly RatedRecord[]): ExploitMaturity {
  const order: ExploitMaturity[] = ['mature', 'proof-of-concept', 'no-known-exploit']
  const vectors = records.flatMap((rated) => vectorsOf(rated))
  const words = new Set(vectors.map(({ exploitMaturity }) => exploitMaturity))
  return order.find((word) => words.has(word)) ?? 'no-data'
}
