import { Badge } from '@mantine/core'

export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

const colours: Record<Severity, string> = { critical: 'grape.8', high: 'red.8', medium: 'orange.9', low: 'gray.7' }

export function SeverityBadge({ severity }: { severity: Severity }) {
  return (
    <Badge color={colours[severity]} variant="filled" radius="sm" tt="none">
      {severity}
    </Badge>
  )
}
