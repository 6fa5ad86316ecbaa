import { Badge, Group, Text } from '@mantine/core'
import { badgeOrange } from './colors.ts'
import { FlameIcon } from './icons.tsx'

export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

const colors: Record<Severity, string> = { critical: 'grape.8', high: 'red.8', medium: badgeOrange, low: 'gray.7' }

export function SeverityBadge({ severity }: { severity: Severity }) {
  return (
    <Badge color={colors[severity]} variant="filled" radius="sm" tt="none">
      {severity}
    </Badge>
  )
}

/** The only inverted badge: exploitation outranks severity. */
export function ExploitedBadge() {
  return (
    <Badge
      radius="sm"
      tt="none"
      variant="filled"
      autoContrast={false}
      styles={{ root: { background: 'var(--mantine-color-text)', color: 'var(--mantine-color-body)' } }}
      leftSection={<FlameIcon size={12} />}
    >
      Exploited
    </Badge>
  )
}

/** Shows the number of issues by severity, without zeros. */
export function SeverityCounts({ counts }: { counts: Readonly<Record<Severity, number>> }) {
  const found = severities.filter((severity) => counts[severity] > 0)
  if (found.length === 0) {
    return (
      <Text span size="sm" c="dimmed">
        none
      </Text>
    )
  }
  return (
    <Group gap={4}>
      {found.map((severity) => (
        <Badge key={severity} color={colors[severity]} variant="filled" radius="sm" tt="none">
          {counts[severity].toLocaleString()} {severity}
        </Badge>
      ))}
    </Group>
  )
}

export function sumOf(counts: Readonly<Record<Severity, number>>): number {
  return severities.reduce((sum, severity) => sum + counts[severity], 0)
}
