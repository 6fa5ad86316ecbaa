import { Box, Button } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Drawer } from '../ui/dialogs.tsx'

interface Props {
  /** Number of filters in effect. */
  readonly active: number
  readonly children: ReactNode
}

/** Shows the filters of a list; on phones, a button for a drawer with them. */
export function FoldedFilters({ active, children }: Props) {
  const [isOpen, { open, close }] = useDisclosure()
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  if (!isNarrow) return children
  return (
    <Box flex="none">
      <Button variant="default" onClick={open} aria-haspopup="dialog" aria-keyshortcuts="f">
        {active === 0 ? 'Filters' : `Filters (${active})`}
      </Button>
      <Drawer
        opened={isOpen}
        onClose={close}
        position="bottom"
        size="auto"
        title="Filters"
        // The size `auto` would fill the screen.
        styles={{ content: { height: 'auto', maxHeight: '90dvh' } }}
      >
        {children}
      </Drawer>
    </Box>
  )
}
