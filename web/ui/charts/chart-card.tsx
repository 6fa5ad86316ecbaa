import { Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, Suspense, useEffect, useId, useState } from 'react'
import { Segments } from '../segments.tsx'
import { optionsOf } from '../words.ts'
import styles from './chart-card.module.css'

const views = optionsOf({ chart: 'Chart', table: 'Table' })

interface Props {
  readonly title: string
  /** A few words beside the title. */
  readonly note?: ReactNode
  /** Sums of the chart, above it. */
  readonly legend?: ReactNode
  /** Undefined while loading. */
  readonly chart: ReactNode | undefined
  /** The same numbers as a table. */
  readonly table: ReactNode
}

/** A chart with an alternative table. A placeholder of the same size precedes it. */
export function ChartCard({ title, note, legend, chart, table }: Props) {
  const id = useId()
  const [view, setView] = useState('chart')
  const waiting = <Skeleton className={styles['chart'] ?? ''} role="status" aria-label={`Loading: ${title}`} />
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id} h="100%">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
          <Group gap="xs" align="baseline">
            <Title order={2} size="h5" id={id}>
              {title}
            </Title>
            {note !== undefined && (
              <Text size="xs" c="dimmed">
                {note}
              </Text>
            )}
          </Group>
          <Segments size="xs" value={view} onChange={setView} aria-label={`Show ${title} as`} options={views} />
        </Group>
        {legend}
        {chart === undefined ? (
          waiting
        ) : view === 'chart' ? (
          <div className={styles['chart']}>
            <AfterPaint fallback={waiting}>
              <Suspense fallback={waiting}>{chart}</Suspense>
            </AfterPaint>
          </div>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          <section className={styles['scroll']} aria-label={`${title}, table`} tabIndex={0}>
            {table}
          </section>
        )}
      </Stack>
    </Paper>
  )
}

/** Renders its children after the browser has drawn the surrounding page. */
function AfterPaint({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    // A task after the frame that was drawn.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  return isPainted ? children : fallback
}
