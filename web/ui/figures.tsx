import { Paper, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface Figure {
  readonly label: string
  readonly value: ReactNode
  readonly about: string
}

export function Figures({ of }: { of: readonly Figure[] }) {
  return (
    <Paper withBorder p="md">
      <SimpleGrid cols={{ base: 2, md: of.length }} spacing="md" component="dl" m={0}>
        {of.map(({ label, value, about }) => (
          <div key={label}>
            <Text component="dt" size="xs" c="dimmed">
              {label}
            </Text>
            <Text
              component="dd"
              m={0}
              size="xl"
              fw={650}
              className="breakable"
              style={{ fontVariantNumeric: 'tabular-nums' }}
            >
              {value}
              <Text span display="block" size="xs" c="dimmed" fw={400}>
                {about}
              </Text>
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Paper>
  )
}
