import { Badge, Group, Text } from '@mantine/core'
import { badgeOrange } from './colours.ts'

export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

const colours: Record<Severity, string> = { critical: 'grape.8', high: 'red.8', medium: badgeOrange, low: 'gray.7' }

export function SeverityBadge({ severity }: { severity: Severity }) {
  return (
    <Badge color={colours[severity]} variant="filled" radius="sm" tt="none">
      {severity}
    </Badge>
  )
}

/** How many issues of each severity; none of one is not shown. */
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
        <Badge key={severity} color={colours[severity]} variant="filled" radius="sm" tt="none">
          {counts[severity].toLocaleString()} {severity}
        </Badge>
      ))}
    </Group>
  )
}

export function sumOf(counts: Readonly<Record<Severity, number>>): number {
  return severities.reduce((sum, severity) => sum + counts[severity], 0)
}
