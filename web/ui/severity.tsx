import { Group, Text } from '@mantine/core'
import styles from './badge.module.css'
import { FlameIcon } from './icons.tsx'

export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

/** Shows a severity by shape and color; an adjacent word or the column's head names it. */
export function SeverityGlyph({ severity }: { severity: Severity }) {
  const bars = 4 - severities.indexOf(severity)
  return (
    <svg viewBox="0 0 16 16" width={12} height={12} aria-hidden="true" style={{ flex: 'none' }}>
      {severity === 'critical' ? (
        <path
          fill="currentColor"
          fillRule="evenodd"
          d="M4 1h8a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3zm3 3v5h2V4zm0 6.5v2h2v-2z"
        />
      ) : (
        <g fill="currentColor">
          <rect x="1" y="9" width="3.6" height="6" rx="1" />
          <rect x="6.2" y="5" width="3.6" height="10" rx="1" className={bars < 2 ? (styles['off'] ?? '') : ''} />
          <rect x="11.4" y="1" width="3.6" height="14" rx="1" className={bars < 3 ? (styles['off'] ?? '') : ''} />
        </g>
      )}
    </svg>
  )
}

export function SeverityBadge({ severity }: { severity: Severity }) {
  return (
    <span className={styles['badge']} data-tone={severity}>
      <SeverityGlyph severity={severity} />
      <span className={styles['word']}>{severity}</span>
    </span>
  )
}

/** The glyph in its color with the word, for lists of figures. */
export function SeverityWord({ severity }: { severity: Severity }) {
  return (
    <span className={styles['glyph']}>
      <span style={{ color: `var(--${severity})`, display: 'inline-flex' }}>
        <SeverityGlyph severity={severity} />
      </span>
      <span className={styles['word']}>{severity}</span>
    </span>
  )
}

/** The only inverted badge: exploitation outranks severity. */
export function ExploitedBadge() {
  return (
    <span className={styles['badge']} data-tone="exploited">
      <FlameIcon size={12} />
      Exploited
    </span>
  )
}

/** Code that exploits it exists; nothing says that it was used. */
export function ExploitBadge() {
  return (
    <span className={styles['badge']} data-tone="exploit-code">
      Exploit code
    </span>
  )
}

/** Shows the number of issues by severity, without zeros. */
export function SeverityCounts({ counts }: { counts: Readonly<Record<Severity, number>> }) {
  const present = severities.filter((severity) => counts[severity] > 0)
  if (present.length === 0) {
    return (
      <Text span size="sm" c="dimmed">
        none
      </Text>
    )
  }
  return (
    <Group gap={4}>
      {present.map((severity) => (
        <span key={severity} className={styles['badge']} data-tone={severity}>
          <SeverityGlyph severity={severity} />
          {counts[severity].toLocaleString()} {severity}
        </span>
      ))}
    </Group>
  )
}

export function sumOf(counts: Readonly<Record<Severity, number>>): number {
  return severities.reduce((sum, severity) => sum + counts[severity], 0)
}
