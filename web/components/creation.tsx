import { Button, Group, Paper, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { newIdempotencyKey } from '../api/client.ts'
import { toRefusal } from '../api/refusal.ts'
import { ButtonLink } from '../ui/links.tsx'
import { SubmitForm } from '../ui/submit-form.tsx'
import { RefusalAlert } from './refusal-alert.tsx'

interface Making<Input, Made> {
  create(input: Input, idempotencyKey: string): Promise<Made>
  /** Query key of the list that gets a new entry. */
  readonly listKey: readonly unknown[]
  onCreated(made: Made): void
}

/** Creates a resource once: repeating after a lost connection does not create another one. */
export function useCreation<Input, Made>({ create, listKey, onCreated }: Making<Input, Made>) {
  // Unchanged until the server has answered.
  const idempotencyKey = useRef(newIdempotencyKey())
  const queries = useQueryClient()
  const creating = useMutation({
    mutationFn: (input: Input) => create(input, idempotencyKey.current),
    onError: (error) => {
      if (toRefusal(error).status !== 0) idempotencyKey.current = newIdempotencyKey()
    },
    onSuccess: (made) => {
      void queries.invalidateQueries({ queryKey: listKey })
      onCreated(made)
    },
  })
  // Keep the form disabled while the new page loads.
  return { ...creating, isPending: creating.isPending || creating.isSuccess }
}

interface CreationFormProps {
  readonly children: ReactNode
  /** Label of the button. */
  readonly action: string
  /** The page to which Cancel leads, or its action for a form inside another page. */
  readonly cancel: string | (() => void)
  /** Title of a refusal. */
  readonly failure: string
  readonly saving: { readonly isPending: boolean; readonly error: Error | null }
  onSubmit(): void
}

/** A form for a new resource, with its buttons and the server's refusal. */
export function CreationForm(props: CreationFormProps) {
  const { children, action, cancel, saving, failure, onSubmit } = props
  const isPage = typeof cancel === 'string'
  return (
    <Paper withBorder={isPage} p={isPage ? 'lg' : 0} maw="44rem">
      <SubmitForm onSubmit={() => onSubmit()}>
        <Stack gap="lg">
          {children}
          {saving.error && <RefusalAlert title={failure} error={saving.error} />}
          <Group>
            <Button type="submit" loading={saving.isPending}>
              {action}
            </Button>
            {isPage ? (
              <ButtonLink variant="default" to={cancel}>
                Cancel
              </ButtonLink>
            ) : (
              <Button variant="default" onClick={cancel}>
                Cancel
              </Button>
            )}
          </Group>
        </Stack>
      </SubmitForm>
    </Paper>
  )
}
