import calculator from 'ae-cvss-calculator'

export type CvssVersion = '2.0' | '3.0' | '3.1' | '4.0'

export type Severity = 'critical' | 'high' | 'medium' | 'low'

/** Maturity of known exploits, in the interface's words. */
export type ExploitMaturity = 'mature' | 'proof-of-concept' | 'no-known-exploit' | 'no-data'

export interface Cvss {
  readonly version: CvssVersion
  readonly vector: string
  /** Score of the base metrics alone, 0 to 10. */
  readonly baseScore: number
  /** Undefined for a score of 0, which the standard rates "none". */
  readonly rating: Severity | undefined
  readonly exploitMaturity: ExploitMaturity
}

/** Parses a vector; undefined for an incomplete one: a score is never derived from half a vector. */
export function findCvss(text: string): Cvss | undefined {
  const split = splitVector(text)
  if (!split) return undefined
  const baseScore = findBaseScore(split.version, split.vector)
  if (baseScore === undefined || !(baseScore >= 0 && baseScore <= 10)) return undefined
  return {
    version: split.version,
    vector: split.vector,
    baseScore,
    rating: toRating(baseScore, split.version),
    exploitMaturity: maturityOf(split.metrics.get('E')),
  }
}

const classes = {
  '2.0': calculator.Cvss2,
  '3.0': calculator.Cvss3P0,
  '3.1': calculator.Cvss3P1,
  '4.0': calculator.Cvss4P0,
} as const

function findBaseScore(version: CvssVersion, vector: string): number | undefined {
  try {
    const scored = new classes[version](vector)
    if (!scored.isBaseFullyDefined()) return undefined
    const scores = scored.calculateScores()
    return 'baseMetricsOnly' in scores ? scores.baseMetricsOnly : scores.base
  } catch {
    // The library throws for unknown values.
    return undefined
  }
}

/** Splits a vector. Version 2 has no prefix and sometimes parentheses. Each metric may occur once. */
function splitVector(text: string) {
  const vectorText = text.trim()
  if (vectorText.length > 512) return undefined
  const prefixed = /^CVSS:(3\.0|3\.1|4\.0)\//.exec(vectorText)
  const version = (prefixed?.[1] ?? '2.0') as CvssVersion
  const vector = vectorText.replace(/^\((.*)\)$/, '$1')
  const metrics = new Map<string, string>()
  for (const part of vector.slice(prefixed?.[0].length ?? 0).split('/')) {
    const [, name, value] = /^([A-Za-z]{1,3}):([A-Za-z]{1,6})$/.exec(part) ?? []
    if (name === undefined || metrics.has(name)) return undefined
    metrics.set(name, value!)
  }
  return { version, vector, metrics }
}

/**
 * Rates a score on the qualitative scale of CVSS 3 and 4; for version 2, which has none, on that of the National
 * Vulnerability Database, which ends at "high".
 */
function toRating(score: number, version: CvssVersion): Severity | undefined {
  if (version === '2.0') return score >= 7 ? 'high' : score >= 4 ? 'medium' : 'low'
  if (score >= 9) return 'critical'
  if (score >= 7) return 'high'
  if (score >= 4) return 'medium'
  return score > 0 ? 'low' : undefined
}

/** Reads metric `E`: exploit code maturity in 2 and 3, exploit maturity in 4. */
function maturityOf(value: string | undefined): ExploitMaturity {
  if (value === 'H' || value === 'F' || value === 'A') return 'mature'
  if (value === 'P' || value === 'POC') return 'proof-of-concept'
  return value === 'U' ? 'no-known-exploit' : 'no-data'
}
