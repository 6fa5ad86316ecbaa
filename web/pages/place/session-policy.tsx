import { Button, Group, NumberInput, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { GroupSecurity } from '../../api/resources.ts'
import { Note } from '../../components/note.tsx'
import { RefusalAlert } from '../../components/refusal-alert.tsx'
import { Section } from '../../ui/section.tsx'
import { SubmitForm } from '../../ui/submit-form.tsx'

interface Props {
  readonly groupId: string
  readonly security: GroupSecurity
}

/** Limits how long members of the group stay signed in. Empty fields use the server's limits. */
export function SessionPolicy({ groupId, security }: Props) {
  const { server } = security
  const queries = useQueryClient()
  const [hours, setHours] = useState<string | number>(security.session_hours ?? '')
  const [minutes, setMinutes] = useState<string | number>(security.session_idle_minutes ?? '')
  const saving = useMutation({
    mutationFn: () =>
      call('updateSignInRules', {
        params: { group_id: groupId },
        body: { session_hours: toLimit(hours), session_idle_minutes: toLimit(minutes) },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['group-security', groupId] }),
  })
  return (
    <Section title="Session policy">
      <Note size="sm">
        Members sign in again after these times. The shortest limit of a person’s groups applies. Sessions that are
        older end at once.
      </Note>
      <SubmitForm onSubmit={() => saving.mutate()} aria-label="Session policy">
        <Group align="flex-end" gap="md">
          <NumberInput label="Hours after signing in" {...limit(server.session_hours, hours, setHours)} min={1} />
          <NumberInput
            label="Minutes without use"
            {...limit(server.session_idle_minutes, minutes, setMinutes)}
            min={5}
          />
          <Button type="submit" variant="default" loading={saving.isPending}>
            Save policy
          </Button>
        </Group>
      </SubmitForm>
      {saving.isSuccess && <Text role="status">Policy saved.</Text>}
      {saving.error && <RefusalAlert title="Not changed" error={saving.error} />}
    </Section>
  )
}

/** Returns the props of a field for a limit that is at most the server's. */
function limit(max: number, value: string | number, onChange: (value: string | number) => void) {
  const description = `Empty: ${max.toLocaleString()}, the server’s limit`
  return { description, value, onChange, max, allowDecimal: false, hideControls: true, w: '16rem' }
}

function toLimit(value: string | number): number | null {
  return value === '' ? null : Number(value)
}
