import { Checkbox, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import type { Administrator } from '../../../api/resources.ts'
import { Note } from '../../../components/note.tsx'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { Section } from '../../../ui/section.tsx'

interface Props {
  readonly groupId: string
  readonly administrators: readonly Administrator[]
}

/** Chooses the administrators who may sign in with a password although a provider is required. */
export function Administrators({ groupId, administrators }: Props) {
  const queries = useQueryClient()
  const changing = useMutation({
    mutationFn: ({ id, break_glass }: Administrator) =>
      call('updateBreakGlass', { params: { group_id: groupId, user_id: id }, body: { break_glass: !break_glass } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['single-sign-on', groupId] }),
  })
  return (
    <Section title="Break-glass administrators">
      <Note size="sm">
        They can sign in with a password when the provider fails. A provider can be required only if there is one.
      </Note>
      {changing.error && <RefusalAlert title="Not changed" error={changing.error} />}
      <Stack gap="xs">
        {administrators.map((administrator) => (
          <Checkbox
            key={administrator.id}
            label={`${administrator.name} (${administrator.email})`}
            description={describe(administrator)}
            checked={administrator.break_glass}
            disabled={changing.isPending || (!administrator.break_glass && !administrator.has_password)}
            onChange={() => changing.mutate(administrator)}
          />
        ))}
      </Stack>
    </Section>
  )
}

function describe({ has_password, disabled }: Administrator): string | undefined {
  if (disabled) return 'Disabled'
  return has_password ? undefined : 'Has no password'
}
