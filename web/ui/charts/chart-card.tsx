import { Group, Paper, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, Suspense, useId, useState } from 'react'
import './colors.css'
import styles from './chart-card.module.css'

interface Props {
  readonly title: string
  /** A few words beside the title. */
  readonly note?: ReactNode
  /** Sums of what the chart shows, above it. */
  readonly legend?: ReactNode
  readonly chart: ReactNode
  /** The same numbers. */
  readonly table: ReactNode
}

/** A chart that can be read as a table instead. */
export function ChartCard({ title, note, legend, chart, table }: Props) {
  const id = useId()
  const [view, setView] = useState('chart')
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
          <SegmentedControl
            size="xs"
            flex="none"
            value={view}
            onChange={setView}
            aria-label={`Show ${title} as`}
            data={[
              { value: 'chart', label: 'Chart' },
              { value: 'table', label: 'Table' },
            ]}
          />
        </Group>
        {legend}
        {view === 'chart' ? (
          <Suspense fallback={<Skeleton height={230} role="status" aria-label={`Loading: ${title}`} />}>
            {chart}
          </Suspense>
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
