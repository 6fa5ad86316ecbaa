import type { DrawerProps, ModalProps } from '@mantine/core'
import { type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '../navigation/lazy.ts'

// Most visits to a page open no dialog.
const LoadedModal = lazyPart(async () => (await import('./loaded-dialogs.tsx')).LoadedModal)
const LoadedDrawer = lazyPart(async () => (await import('./loaded-dialogs.tsx')).LoadedDrawer)

/** The library's dialog, fetched when it first opens. */
export function Modal(props: ModalProps) {
  return (
    <WhenOpened isOpen={props.opened}>
      <LoadedModal {...props} />
    </WhenOpened>
  )
}

/** The library's drawer at an edge of the screen. */
export function Drawer(props: DrawerProps) {
  return (
    <WhenOpened isOpen={props.opened}>
      <LoadedDrawer {...props} />
    </WhenOpened>
  )
}

/** Keeps its children after the first opening, so that closing can be animated. */
function WhenOpened({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [wasOpened, setOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setOpened(true)
  return (isOpen || wasOpened) && <Suspense>{children}</Suspense>
}
