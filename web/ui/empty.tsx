import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** The state of an empty list: a title, an explanation and an action. */
export function Empty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm" ta="center">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" component="div" maw="36rem">
          {children}
        </Text>
      </Stack>
    </Paper>
  )
}
