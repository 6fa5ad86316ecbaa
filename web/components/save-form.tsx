import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { SubmitForm } from '../ui/submit-form.tsx'
import { RefusalAlert } from './refusal-alert.tsx'

interface Props {
  readonly children: ReactNode
  /** Label of the button. */
  readonly action: string
  /** Title of a refusal. */
  readonly failure?: string
  readonly saving: { readonly isPending: boolean; readonly error: Error | null }
  readonly isDisabled?: boolean
  readonly maw: string
  onSubmit(): void
}

/** The fields of a resource, with a button that saves them and the server's refusal. */
export function SaveForm({
  children,
  action,
  failure = 'Not saved',
  saving,
  isDisabled = false,
  maw,
  onSubmit,
}: Props) {
  return (
    <SubmitForm onSubmit={onSubmit}>
      <Stack maw={maw}>
        {children}
        {saving.error && <RefusalAlert title={failure} error={saving.error} />}
        <Group>
          <Button type="submit" variant="default" loading={saving.isPending} disabled={isDisabled}>
            {action}
          </Button>
        </Group>
      </Stack>
    </SubmitForm>
  )
}
