import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from '../router/react.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Section } from '../ui/section.tsx'
import { RefusalAlert } from './refusal-alert.tsx'

interface Props {
  readonly name: string
  /** The noun in "Delete this …". */
  readonly kind: string
  readonly words: ReactNode
  /** The consequences, shown before deletion. */
  readonly children: ReactNode
  /** Query keys of the lists that lose an entry. */
  readonly listKeys: readonly (readonly unknown[])[]
  readonly backTo: string
  remove(): Promise<unknown>
}

/** Deletes the resource of the page after a confirmation, and leaves the page. */
export function Deletion({ name, kind, words, children, listKeys, backTo, remove }: Props) {
  const [isOpen, { open, close }] = useDisclosure()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const deleting = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      for (const queryKey of listKeys) void queries.invalidateQueries({ queryKey })
      navigate(backTo, { replace: true })
    },
    onError: close,
  })
  return (
    <Section title="Delete">
      <Group justify="space-between" gap="sm">
        <span>{words}</span>
        <Button color="red" variant="outline" onClick={open}>
          Delete this {kind}
        </Button>
      </Group>
      {deleting.error && <RefusalAlert title="Not deleted" error={deleting.error} />}
      <ConfirmDialog
        title={`Delete ${name}?`}
        verb="Delete"
        isOpen={isOpen}
        isBusy={deleting.isPending || deleting.isSuccess}
        onConfirm={() => deleting.mutate()}
        onClose={close}
      >
        {children}
      </ConfirmDialog>
    </Section>
  )
}
