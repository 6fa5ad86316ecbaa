import { Text } from '@mantine/core'
import { toFullDay } from '../../../ui/charts/days.ts'
import { StateBadge } from '../../../ui/state-badge.tsx'

/** Shows the day on which an issue is due. */
export function DueDate({ on, isOverdue = isPast(on) }: { on: string; isOverdue?: boolean }) {
  if (isOverdue) return <StateBadge tone="bad">overdue since {toFullDay(on)}</StateBadge>
  return (
    <Text span size="sm">
      due {toFullDay(on)}
    </Text>
  )
}

/** Days end in UTC. */
function isPast(day: string): boolean {
  return day < new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
}
