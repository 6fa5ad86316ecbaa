import { Group, Paper, SimpleGrid, Text, UnstyledButton } from '@mantine/core'
import { type Severity, SeverityBadge, severities } from './severity.tsx'
import styles from './severity-filter.module.css'

interface Props {
  readonly counts: Readonly<Record<Severity, number>>
  readonly chosen: Severity | undefined
  readonly onChoose: (severity: Severity | undefined) => void
}

export function SeverityFilter({ counts, chosen, onChoose }: Props) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      {severities.map((severity) => (
        <UnstyledButton
          key={severity}
          className={styles['count']}
          aria-pressed={chosen === severity}
          // A chosen severity can be deselected even after its last issue is gone.
          disabled={counts[severity] === 0 && chosen !== severity}
          onClick={() => onChoose(chosen === severity ? undefined : severity)}
        >
          <Paper withBorder p="sm">
            <Group justify="space-between">
              <SeverityBadge severity={severity} />
              <Text fw={700} size="xl">
                {counts[severity]}
              </Text>
            </Group>
          </Paper>
        </UnstyledButton>
      ))}
    </SimpleGrid>
  )
}
