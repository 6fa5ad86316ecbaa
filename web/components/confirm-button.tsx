import { Button, type ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { RefusalAlert } from './refusal-alert.tsx'

interface Props extends Pick<ButtonProps, 'size' | 'color' | 'variant' | 'style'> {
  /** Label of the button. */
  readonly action: string
  /** Accessible name of the button, if rows repeat its label. */
  readonly name?: string
  readonly title: string
  readonly verb: string
  /** The alternative to the verb; default: Cancel. */
  readonly refusal?: string
  /** Title of a refusal by the server. */
  readonly failure: string
  /** The consequences. */
  readonly children: ReactNode
  /** Query keys of the data that changes. */
  readonly changes?: readonly (readonly unknown[])[]
  readonly onDone?: () => void
  run(): Promise<unknown>
}

export function ConfirmButton(props: Props) {
  const { action, name, title, verb, refusal, failure, children, changes = [], onDone, run, ...look } = props
  const [isOpen, { open, close }] = useDisclosure()
  const queries = useQueryClient()
  const running = useMutation({
    mutationFn: run,
    onSuccess: () => {
      for (const queryKey of changes) void queries.invalidateQueries({ queryKey })
      onDone?.()
      close()
    },
  })

  function begin() {
    running.reset()
    open()
  }

  return (
    <>
      <Button variant="default" {...look} aria-label={name ?? action} onClick={begin}>
        {action}
      </Button>
      <ConfirmDialog
        title={title}
        verb={verb}
        {...(refusal !== undefined && { refusal })}
        isOpen={isOpen}
        isBusy={running.isPending}
        onConfirm={() => running.mutate()}
        onClose={close}
      >
        {running.error && <RefusalAlert title={failure} error={running.error} />}
        {children}
      </ConfirmDialog>
    </>
  )
}
