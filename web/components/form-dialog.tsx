import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Modal } from '../ui/dialogs.tsx'
import { SubmitForm } from '../ui/submit-form.tsx'
import { RefusalAlert } from './refusal-alert.tsx'

interface DialogProps {
  /** Label of the button that opens the dialog. */
  readonly action: string
  /** Accessible name of the button, if rows repeat its label. */
  readonly name?: string
  readonly title: string
  readonly variant?: 'filled' | 'default'
  readonly size?: 'sm' | 'compact-sm'
  /** The form, recreated at each opening. */
  children(close: () => void): ReactNode
}

export function FormDialog({ action, name, title, variant = 'default', size = 'sm', children }: DialogProps) {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant={variant} size={size} aria-label={name ?? action} onClick={open}>
        {action}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} centered classNames={{ title: 'breakable' }}>
        {children(close)}
      </Modal>
    </>
  )
}

interface FormProps {
  readonly children: ReactNode
  /** Label of the button that submits. */
  readonly action: string
  /** Title of a refusal. */
  readonly failure: string
  readonly saving: { readonly isPending: boolean; readonly error: Error | null }
  readonly isDangerous?: boolean
  readonly isDisabled?: boolean
  onSubmit(): void
  onCancel(): void
}

/** The fields of a dialog, with its buttons and the server's refusal. */
export function DialogForm(props: FormProps) {
  const { children, action, failure, saving, isDangerous = false, isDisabled = false } = props
  return (
    <SubmitForm onSubmit={() => props.onSubmit()}>
      <Stack>
        {children}
        {saving.error && <RefusalAlert title={failure} error={saving.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onCancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={saving.isPending}
            disabled={isDisabled}
            {...(isDangerous && { color: 'red.8' })}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </SubmitForm>
  )
}
