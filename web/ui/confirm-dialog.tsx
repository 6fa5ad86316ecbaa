import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Modal } from './dialogs.tsx'

interface Props {
  readonly title: string
  /** The consequences. */
  readonly children: ReactNode
  readonly verb: string
  /** The alternative to the verb; default: Cancel. */
  readonly refusal?: string
  readonly isOpen: boolean
  readonly isBusy: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks for confirmation. The initial focus is on the refusal, so that confirming by accident takes two mistakes. */
export function ConfirmDialog({
  title,
  children,
  verb,
  refusal = 'Cancel',
  isOpen,
  isBusy,
  onConfirm,
  onClose,
}: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} centered>
      <Stack>
        <Text component="div">{children}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {refusal}
          </Button>
          <Button color="red.8" onClick={onConfirm} loading={isBusy}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
