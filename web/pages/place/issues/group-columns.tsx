import { Stack, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { Grouping, IssueGroup } from '../../../api/resources.ts'
import { paths } from '../../../navigation/paths.ts'
import { FixText } from '../../../ui/fix-text.tsx'
import { PageLink } from '../../../ui/links.tsx'
import { PathText } from '../../../ui/path-text.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { ExploitedBadge, SeverityBadge, SeverityGlyph } from '../../../ui/severity.tsx'
import { countOf } from '../../../ui/words.ts'
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
  /** True if the server knows which vulnerabilities are exploited. */
  readonly hasExploited: boolean
}

/**
 * Returns the columns for which the screen has space beside the navigation. An issue is a vulnerability of one project,
 * so grouped by vulnerability the number of projects is enough.
 */
export function useColumns(orgId: string, { grouping, hasExploited }: ColumnChoice): readonly GroupColumn[] {
  const isWide = useMediaQuery('(min-width: 85em)', true)
  const isMedium = useMediaQuery('(min-width: 64em)', true)
  const isOfProjects = grouping === 'project'
  const columns: (GroupColumn | false)[] = [
    isMedium && {
      name: 'Severity',
      width: 104,
      cell: ({ attributes: { severity } }) => severity && <SeverityBadge severity={severity} />,
    },
    !isMedium && {
      name: '',
      width: 30,
      cell: ({ attributes: { severity } }) =>
        severity && (
          <span style={{ color: `var(--${severity})` }}>
            <SeverityGlyph severity={severity} />
            <VisuallyHidden>{severity}</VisuallyHidden>
          </span>
        ),
    },
    { name: nouns[grouping], cell: (group) => <Name {...{ orgId, grouping, group }} /> },
    !isMedium && {
      name: 'Fix',
      width: 118,
      isNumber: true,
      cell: (group) => (
        <Stack gap={2} align="flex-end">
          {group.attributes.is_exploited && <ExploitedBadge />}
          <Fix {...{ grouping, group }} isShort />
        </Stack>
      ),
    },
    isWide &&
      !isOfProjects && {
        name: 'Score',
        width: 66,
        isNumber: true,
        cell: ({ attributes: { score } }) => score?.toFixed(1) ?? '–',
      },
    isMedium &&
      hasExploited && {
        name: 'Exploited',
        width: 120,
        cell: ({ attributes }) => attributes.is_exploited && <ExploitedBadge />,
      },
    isMedium && { name: 'Fix', width: 196, cell: (group) => <Fix {...{ grouping, group }} /> },
    isMedium &&
      !isOfProjects && {
        name: 'Projects',
        width: 88,
        isNumber: true,
        cell: ({ attributes }) => attributes.projects?.toLocaleString(),
      },
    isMedium &&
      grouping !== 'vulnerability' && {
        name: 'Issues',
        width: 80,
        isNumber: true,
        cell: ({ attributes }) => attributes.issues.toLocaleString(),
      },
    isWide &&
      !isOfProjects && {
        name: 'Known',
        width: 132,
        cell: ({ attributes: { known_since } }) => known_since && <Age time={known_since} />,
      },
  ]
  return columns.filter((column) => column !== false)
}

interface FixProps {
  readonly grouping: Grouping
  readonly group: IssueGroup
  readonly isShort?: boolean
}

function Fix({ grouping, group: { attributes }, isShort = false }: FixProps) {
  const { fixed_in = [], is_fixable, is_malicious } = attributes
  if (grouping === 'vulnerability') return <FixText fixedIn={fixed_in} isMalicious={is_malicious} isShort={isShort} />
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

interface NameProps {
  readonly orgId: string
  readonly grouping: Grouping
  readonly group: IssueGroup
}

function Name({ orgId, grouping, group }: NameProps) {
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
