import type { ReactNode } from 'react'
import styles from './badge.module.css'

export type Tone = 'good' | 'bad' | 'warning' | 'quiet' | 'busy'

/** A state as a word; the color only repeats it. */
export function StateBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={styles['badge']} data-tone={tone}>
      {children}
    </span>
  )
}
