import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A minor remark, in small gray letters. */
export function Note({ size = 'xs', children }: { size?: 'xs' | 'sm'; children: ReactNode }) {
  return (
    <Text size={size} c="dimmed">
      {children}
    </Text>
  )
}
