import type { Severity } from '../advisories/cvss.ts'

/** The facts by which vulnerabilities are ordered. */
export interface PriorityFacts {
  /** True if a catalog of exploited vulnerabilities lists it. */
  readonly isExploited: boolean
  readonly severity: Severity
  /** Probability of exploitation within 30 days, 0 to 1; undefined if unknown. */
  readonly epssScore?: number | undefined
  /** 0 to 10. */
  readonly cvssScore: number
  /** Projects with open issues. */
  readonly projects?: number
  /** True if a project declares the package itself. */
  readonly isDirect: boolean
  /** True if a fixed version was published. */
  readonly hasFix: boolean
}

const severities: readonly Severity[] = ['low', 'medium', 'high', 'critical']

/** Compares like the SQL order `-priority` (group-list-store.ts): negative if `a` comes first. */
export function comparePriority(a: PriorityFacts, b: PriorityFacts): number {
  return (
    Number(b.isExploited) - Number(a.isExploited) ||
    severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
    (b.epssScore ?? -1) - (a.epssScore ?? -1) ||
    b.cvssScore - a.cvssScore ||
    (b.projects ?? 0) - (a.projects ?? 0) ||
    Number(b.isDirect) - Number(a.isDirect) ||
    Number(b.hasFix) - Number(a.hasFix)
  )
}

/** Attributes of the project with the issue, as its users set them. */
export interface ProjectContext {
  readonly criticalities: readonly string[]
  readonly environments: readonly string[]
  readonly lifecycles: readonly string[]
}

export interface RiskFactor {
  readonly name: string
  readonly points: number
  readonly description: string
}

export interface Risk {
  /** 0 to 1000: the sum of the points. */
  readonly score: number
  /** Every input, including those without points. */
  readonly factors: readonly RiskFactor[]
}

const EXPLOITED = 400
const BY_SEVERITY: Readonly<Record<Severity, number>> = { critical: 300, high: 200, medium: 100, low: 0 }
const MAX_EPSS = 59
const POINTS_PER_CVSS = 2
const DIRECT = 10
const FIX = 10
const BY_CRITICALITY: Readonly<Record<string, number>> = { critical: 100, high: 60, medium: 30 }
const EXPOSED = 60
/** Environments that outsiders reach. */
const EXPOSED_ENVIRONMENTS: readonly string[] = ['external', 'frontend', 'hosted', 'mobile', 'saas']
const PRODUCTION = 40

/**
 * Computes the risk score (docs/guides/priority.md). Exploitation outweighs severity, and severity outweighs the rest
 * except the project's attributes. Without `project` the score is that of any project without attributes.
 */
export function toRisk(facts: PriorityFacts, project?: ProjectContext): Risk {
  const factors = [...issueFactors(facts), ...(project ? projectFactors(project) : [])]
  return { score: factors.reduce((sum, { points }) => sum + points, 0), factors }
}

/** Computes the score of a license issue, which has only a severity. */
export function toLicenseRisk(severity: Severity): Risk {
  const factor = severityFactor(severity)
  return { score: factor.points, factors: [factor] }
}

function severityFactor(severity: Severity): RiskFactor {
  return { name: 'severity', points: BY_SEVERITY[severity], description: `Severity ${severity}` }
}

function issueFactors({ isExploited, severity, epssScore, cvssScore, isDirect, hasFix }: PriorityFacts): RiskFactor[] {
  return [
    {
      name: 'exploited',
      points: isExploited ? EXPLOITED : 0,
      description: isExploited ? 'Exploited in the wild' : 'In no synced catalog of exploited vulnerabilities',
    },
    severityFactor(severity),
    {
      name: 'epss',
      points: Math.round((epssScore ?? 0) * MAX_EPSS),
      description: epssScore === undefined ? 'EPSS unknown' : `EPSS ${toPercent(epssScore)}`,
    },
    { name: 'cvss', points: Math.round(cvssScore * POINTS_PER_CVSS), description: `CVSS ${cvssScore}` },
    {
      name: 'direct',
      points: isDirect ? DIRECT : 0,
      description: isDirect ? 'Direct dependency' : 'Only transitive',
    },
    { name: 'fix', points: hasFix ? FIX : 0, description: hasFix ? 'Fixed version available' : 'No fixed version' },
  ]
}

function projectFactors({ criticalities, environments, lifecycles }: ProjectContext): RiskFactor[] {
  const [criticality] = criticalities.toSorted((a, b) => (BY_CRITICALITY[b] ?? 0) - (BY_CRITICALITY[a] ?? 0))
  const exposed = environments.filter((environment) => EXPOSED_ENVIRONMENTS.includes(environment))
  const isProduction = lifecycles.includes('production')
  return [
    {
      name: 'criticality',
      points: BY_CRITICALITY[criticality ?? ''] ?? 0,
      description: criticality === undefined ? 'Business criticality not set' : `Business criticality ${criticality}`,
    },
    {
      name: 'environment',
      points: exposed.length > 0 ? EXPOSED : 0,
      description: exposed.length > 0 ? `Exposed: ${exposed.join(', ')}` : 'No exposed environment set',
    },
    {
      name: 'lifecycle',
      points: isProduction ? PRODUCTION : 0,
      description: isProduction ? 'In production' : 'Not marked as production',
    },
  ]
}

/** Formats a probability with two significant digits below 10 %, such as 0.043%, 4.3% and 43%. */
export function toPercent(share: number): string {
  const percent = share * 100
  return `${percent < 10 ? Number(percent.toPrecision(2)) : Math.round(percent)}%`
}
