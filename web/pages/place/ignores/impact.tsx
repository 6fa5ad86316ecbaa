import { Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { previewPolicy } from '../../../api/policies.ts'
import type { PolicyInput, PolicyPreview } from '../../../api/resources.ts'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import type { ConsoleScope } from '../../../navigation/paths.ts'
import { type Severity, SeverityCounts, SeverityGlyph } from '../../../ui/severity.tsx'
import { countOf } from '../../../ui/words.ts'
import styles from './rules.module.css'

type Scope = Pick<PolicyInput, 'conditions_group' | 'selection'>

/** Reads what a rule would change now, which depends only on its scope. The server changes nothing. */
export function usePreview(place: ConsoleScope, scope: Scope | undefined, severity?: Severity) {
  const terms: Pick<PolicyInput, 'name' | 'action_type' | 'action'> = {
    name: 'Preview',
    ...(severity
      ? { action_type: 'severity', action: { data: { severity, reason: 'Preview' } } }
      : { action_type: 'ignore', action: { data: { ignore_type: 'wont-fix', reason: 'Preview' } } }),
  }
  return useQuery({
    queryKey: ['policy-preview', place, scope, severity],
    queryFn: () => previewPolicy(place, { ...terms, ...scope }),
    enabled: scope !== undefined,
    placeholderData: keepPreviousData,
  })
}

/** Shows what a rule would change: totals, and the first vulnerabilities. */
export function Impact({ reading }: { reading: ReturnType<typeof usePreview> }) {
  const { data, isError, isPlaceholderData } = reading
  if (isError) return <ReadingAlert title="Could not compute what this changes" reading={reading} />
  if (!data) return <Skeleton height={140} role="status" aria-label="Loading what this changes" />
  return (
    <div className={styles['impact']} aria-busy={isPlaceholderData}>
      <Totals preview={data} />
      {data.first.length > 0 && (
        <ul className="plain" aria-label="Vulnerabilities to change">
          {data.first.map(({ id, name, severity, projects }) => (
            <li key={id} className={styles['row']}>
              <span style={{ color: `var(--${severity})` }}>
                <SeverityGlyph severity={severity as Severity} />
                <VisuallyHidden>{severity}</VisuallyHidden>
              </span>
              <span className="breakable">
                {name}{' '}
                <Text span size="xs" c="dimmed">
                  {id}
                </Text>
              </span>
              <Text span size="xs" c="dimmed">
                {countOf(projects, 'project')}
              </Text>
            </li>
          ))}
        </ul>
      )}
      {data.vulnerabilities > data.first.length && (
        <Text size="sm">and {(data.vulnerabilities - data.first.length).toLocaleString()} more</Text>
      )}
    </div>
  )
}

function Totals({ preview: { vulnerabilities, issues, projects, severities } }: { preview: PolicyPreview }) {
  if (vulnerabilities === 0) return <Text size="sm">No open issue matches now.</Text>
  return (
    <div role="status">
      <Text size="sm">
        {countOf(vulnerabilities, 'vulnerability', 'vulnerabilities')}: {countOf(issues, 'issue')} in{' '}
        {countOf(projects, 'project')}
        {severities.critical > 0 && (
          <strong className={styles['critical']}>, including {severities.critical.toLocaleString()} critical</strong>
        )}
      </Text>
      <SeverityCounts counts={severities} />
    </div>
  )
}
