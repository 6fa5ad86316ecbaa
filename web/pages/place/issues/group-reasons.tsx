import { Text, UnstyledButton } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import type { IssueGroup } from '../../../api/resources.ts'
import { Age } from '../../../ui/relative-time.tsx'
import { ExploitBadge, ExploitedBadge } from '../../../ui/severity.tsx'
import { countOf, upperFirst } from '../../../ui/words.ts'
import styles from './groups.module.css'

type Attributes = IssueGroup['attributes']

type Facts =
  | 'is_exploited'
  | 'exploited_since'
  | 'exploit_due'
  | 'has_exploit'
  | 'epss_score'
  | 'epss_percentile'
  | 'risk_score'
  | 'risk_factors'
  | 'projects'
  | 'is_direct'
  | 'known_since'

/** A group, or an issue with the same facts. */
interface Props {
  readonly group: { readonly attributes: Pick<Attributes, 'name'> & Partial<Pick<Attributes, Facts>> }
}

interface ReasonsProps extends Props {
  readonly isByAge?: boolean
  readonly children?: ReactNode
}

/** The inputs of a row's order in one line, for screens without a column for each. */
export function Reasons({ group, isByAge, children }: ReasonsProps) {
  const { epss_score, risk_score, projects, is_direct, known_since } = group.attributes
  return (
    <div className={styles['reasons']}>
      <Exploitation group={group} />
      {epss_score !== undefined && (
        <span>
          EPSS <Epss group={group} />
        </span>
      )}
      {risk_score !== undefined && (
        <span>
          Risk <RiskScore group={group} />
        </span>
      )}
      {projects !== undefined && (
        <span>
          {countOf(projects, 'project')}
          {is_direct && ', direct'}
        </span>
      )}
      {isByAge && known_since && <Age time={known_since} />}
      {children}
    </div>
  )
}

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const dayOfYear = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
export const toDay = (date: string) => day.format(new Date(date))

/** The badge of exploitation with its date: the due date while it is ahead, otherwise the day of the listing. */
export function Exploitation({ group: { attributes } }: Props) {
  const { is_exploited, exploited_since: since, exploit_due: due, has_exploit } = attributes
  if (!is_exploited) return has_exploit ? <ExploitBadge /> : null
  const isAhead = due !== undefined && Date.parse(due) > Date.now()
  const dates = [since && `Listed on ${toDay(since)}`, due && `due ${toDay(due)}`].filter(Boolean).join(', ')
  return (
    <span className={styles['exploitation']} title={dates || undefined}>
      <ExploitedBadge />
      {since !== undefined && (
        <Text span size="xs" className={styles['date'] ?? ''} {...(!isAhead && { c: 'dimmed' })}>
          {isAhead ? `due ${dayOfYear.format(new Date(due))}` : toDay(since)}
        </Text>
      )}
    </span>
  )
}

/** The probability of exploitation within 30 days. */
export function Epss({ group: { attributes } }: Props) {
  const { epss_score: score, epss_percentile: percentile } = attributes
  if (score === undefined) return '–'
  const title = percentile && `Higher than ${(100 * percentile).toFixed(1)}% of all scored vulnerabilities`
  return <span title={title || undefined}>{toPercent(score)}</span>
}

/** Formats a probability, below 10% with two digits: the order depends on them. */
export function toPercent(share: number): string {
  const percent = 100 * share
  return `${percent < 10 ? Number(percent.toPrecision(2)) : Math.round(percent)}%`
}

/** The risk score, which opens its parts. */
export function RiskScore({ group: { attributes } }: Props) {
  const { risk_score: score, risk_factors: factors = [], name } = attributes
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  if (score === undefined) return '–'
  return (
    <>
      <UnstyledButton className={styles['risk']} popoverTarget={id} aria-label={`Risk score ${score} of ${name}`}>
        {score}
      </UnstyledButton>
      <div
        id={id}
        popover="auto"
        className={styles['parts']}
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && <RiskFactors score={score} factors={factors} />}
      </div>
    </>
  )
}

const acronyms: ReadonlySet<string> = new Set(['epss', 'cvss'])

interface RiskProps {
  readonly score: number
  readonly factors: NonNullable<Attributes['risk_factors']>
}

/** Lists the parts of a risk score, which add up to it. */
export function RiskFactors({ score, factors }: RiskProps) {
  return (
    <dl className={styles['factors']}>
      {factors.map(({ name, points, description }) => (
        <div key={name}>
          <dt>{acronyms.has(name) ? name.toUpperCase() : upperFirst(name)}</dt>
          <dd>{points > 0 ? `+${points}` : points.toLocaleString().replace('-', '−')}</dd>
          <dd>{description}</dd>
        </div>
      ))}
      <div>
        <dt>Risk score</dt>
        <dd>{score}</dd>
        <dd>of 1,000</dd>
      </div>
    </dl>
  )
}
