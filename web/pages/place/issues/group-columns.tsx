import { Group, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { Grouping, IssueGroup } from '../../../api/resources.ts'
import { paths } from '../../../navigation/paths.ts'
import { FixText } from '../../../ui/fix-text.tsx'
import { PageLink } from '../../../ui/links.tsx'
import { PathText } from '../../../ui/path-text.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { SeverityBadge, SeverityGlyph } from '../../../ui/severity.tsx'
import { countOf } from '../../../ui/words.ts'
import { Epss, Exploitation, Reasons, RiskScore } from './group-reasons.tsx'
import styles from './groups.module.css'

export interface GroupColumn {
  readonly name: string
  /** Undefined for the column that fills the remaining width. */
  readonly width?: number
  readonly isNumber?: boolean
  cell(group: IssueGroup): ReactNode
}

export const nouns: Readonly<Record<Grouping, string>> = {
  vulnerability: 'Vulnerability',
  package: 'Package',
  project: 'Project',
}

interface ColumnChoice {
  readonly grouping: Grouping
  /** The groups of the displayed page. */
  readonly groups: readonly IssueGroup[]
  /** True if the list is in the order of the groups' age. */
  readonly isByAge: boolean
}

/**
 * Returns the columns for which the screen has space beside the navigation, and of those about exploitation the ones with
 * data. An issue is a vulnerability of one project, so grouped by vulnerability the number of projects is enough.
 */
export function useColumns(orgId: string, choice: ColumnChoice): readonly GroupColumn[] {
  const { grouping, groups, isByAge } = choice
  const hasScores = useMediaQuery('(min-width: 85em)', true)
  const isMedium = useMediaQuery('(min-width: 64em)', true)
  const isVeryWide = useMediaQuery('(min-width: 110em)', false)
  const has = (name: keyof IssueGroup['attributes']) => groups.some(({ attributes }) => attributes[name])
  const isWide = hasScores && grouping !== 'project'
  const name = {
    name: nouns[grouping],
    cell: (group: IssueGroup) => (
      <Name {...{ orgId, grouping, group }}>
        {!isWide && (
          <Reasons group={group} isByAge={isByAge}>
            {!isMedium && <Fix {...{ grouping, group }} />}
          </Reasons>
        )}
      </Name>
    ),
  }
  if (!isMedium) return [{ name: '', width: 30, cell: (group) => <Glyph group={group} /> }, name]
  const columns: (GroupColumn | false)[] = [
    { name: 'Severity', width: isWide ? 132 : 104, cell: (group) => <Level group={group} isWithScore={isWide} /> },
    name,
    isWide &&
      (has('is_exploited') || has('has_exploit')) && {
        name: 'Exploitation',
        width: 124,
        cell: (group) => <Exploitation group={group} />,
      },
    isWide && has('epss_score') && { name: 'EPSS', width: 64, isNumber: true, cell: (group) => <Epss group={group} /> },
    isWide &&
      has('risk_score') && { name: 'Risk', width: 60, isNumber: true, cell: (group) => <RiskScore group={group} /> },
    { name: 'Fix', width: isWide ? 176 : 150, cell: (group) => <Fix {...{ grouping, group }} /> },
    isWide && { name: 'Projects', width: 84, isNumber: true, cell: (group) => <Reach group={group} /> },
    grouping !== 'vulnerability' && {
      name: 'Issues',
      width: 80,
      isNumber: true,
      cell: ({ attributes }) => attributes.issues.toLocaleString(),
    },
    isWide &&
      (isByAge || isVeryWide) && {
        name: 'Known',
        width: 124,
        cell: ({ attributes: { known_since } }) => known_since && <Age time={known_since} />,
      },
  ]
  return columns.filter((column) => column !== false)
}

interface GroupProps {
  readonly group: IssueGroup
}

function Glyph({ group: { attributes } }: GroupProps) {
  const { severity } = attributes
  if (severity === undefined) return null
  return (
    <span style={{ color: `var(--${severity})` }}>
      <SeverityGlyph severity={severity} />
      <VisuallyHidden>{severity}</VisuallyHidden>
    </span>
  )
}

function Level({ group: { attributes }, isWithScore }: GroupProps & { readonly isWithScore: boolean }) {
  const { severity, score } = attributes
  return (
    <Group gap={6} wrap="nowrap" justify="space-between">
      {severity && <SeverityBadge severity={severity} />}
      {isWithScore && score !== undefined && score > 0 && (
        <Text span size="sm" title="CVSS score">
          {score.toFixed(1)}
        </Text>
      )}
    </Group>
  )
}

function Reach({ group: { attributes } }: GroupProps) {
  const { projects, is_direct } = attributes
  return (
    <>
      {projects?.toLocaleString()}
      {is_direct && (
        <Text size="xs" c="dimmed" title="A direct dependency in at least one project">
          direct
        </Text>
      )}
    </>
  )
}

interface FixProps {
  readonly grouping: Grouping
  readonly group: IssueGroup
}

function Fix({ grouping, group: { attributes } }: FixProps) {
  const { fixed_in = [], is_fixable, is_malicious } = attributes
  if (grouping === 'vulnerability') return <FixText fixedIn={fixed_in} isMalicious={is_malicious} />
  return (
    <Text size="sm" {...(!is_fixable && { c: 'dimmed' })}>
      {is_fixable ? 'Available' : 'No fix yet'}
    </Text>
  )
}

function addressOf(orgId: string, grouping: Grouping, { id }: Pick<IssueGroup, 'id'>): string {
  if (grouping === 'vulnerability') return paths.vulnerability(orgId, id)
  return grouping === 'package' ? paths.packageUse(orgId, id) : paths.project(orgId, id)
}

interface NameProps extends FixProps {
  readonly orgId: string
  readonly children: ReactNode
}

function Name({ orgId, grouping, group, children }: NameProps) {
  const { name } = group.attributes
  const about = contextOf(grouping, group)
  return (
    <>
      <PageLink
        to={addressOf(orgId, grouping, group)}
        fw={600}
        c="inherit"
        size="sm"
        className={styles['one-line'] ?? ''}
        title={name}
        {...(grouping === 'project' && { 'aria-label': name })}
      >
        {grouping === 'project' ? <PathText text={name} /> : name}
      </PageLink>
      <Text size="xs" c="dimmed" className={styles['one-line'] ?? ''} title={about}>
        {about}
      </Text>
      {children}
    </>
  )
}

function contextOf(grouping: Grouping, { id, attributes }: IssueGroup): string {
  const { packages = [], aliases = [], registry, vulnerabilities = 0, versions = 0, counts = {}, ignored } = attributes
  const hidden = ignored > 0 ? `${ignored.toLocaleString()} ignored` : undefined
  if (grouping === 'project') {
    const open = Object.entries(counts).filter(([, count]) => count > 0)
    return [...open.map(([severity, count]) => `${count.toLocaleString()} ${severity}`), hidden]
      .filter(Boolean)
      .join(' · ')
  }
  if (grouping === 'package') {
    const vulnerable = countOf(vulnerabilities, 'vulnerability', 'vulnerabilities')
    return [registry, vulnerable, `in ${countOf(versions, 'version')}`, hidden].filter(Boolean).join(' · ')
  }
  const cve = aliases.find((alias) => alias.startsWith('CVE-'))
  return [packages.join(', '), cve ?? id, registry, hidden].filter(Boolean).join(' · ')
}
