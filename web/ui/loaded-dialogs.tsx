import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'

export function LoadedModal({ opened, ...props }: ModalProps) {
  return <Modal {...props} opened={useOpened(opened)} />
}

export function LoadedDrawer({ opened, ...props }: DrawerProps) {
  return <Drawer {...props} opened={useOpened(opened)} />
}

/** Opens after the first render: the library records where to return the focus when a closed dialog opens. */
function useOpened(isOpen: boolean): boolean {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => setDrawn(true), [])
  return isOpen && isDrawn
}
