import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import { badgeGreen } from './colors.ts'

export type Tone = 'good' | 'bad' | 'warning' | 'quiet' | 'busy'

const colors: Record<Tone, string> = {
  good: badgeGreen,
  bad: 'red.8',
  warning: 'yellow.4',
  quiet: 'gray.7',
  busy: 'pine.7',
}

/** A state in a word; the color only repeats what the word says. */
export function StateBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <Badge color={colors[tone]} autoContrast={tone === 'warning'} variant="filled" radius="sm" tt="none">
      {children}
    </Badge>
  )
}
