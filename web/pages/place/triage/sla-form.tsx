import { SimpleGrid, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, callData } from '../../../api/client.ts'
import type { SlaDays, SlaPolicy } from '../../../api/triage.ts'
import { Note } from '../../../components/note.tsx'
import { faultOf, ReadingAlert } from '../../../components/refusal-alert.tsx'
import { SaveForm } from '../../../components/save-form.tsx'
import { Section } from '../../../ui/section.tsx'
import { textField } from '../../../ui/text-field.ts'

const fields = {
  critical_days: 'Critical',
  high_days: 'High',
  medium_days: 'Medium',
  low_days: 'Low',
  exploited_days: 'Known exploited, at most',
} as const
type Field = keyof typeof fields
const names = Object.keys(fields) as Field[]

/** The form for an organization's SLA policy. */
export function SlaSection({ orgId }: { orgId: string }) {
  const reading = useQuery({
    queryKey: ['sla-policy', orgId],
    queryFn: () => callData('getSlaPolicy', { params: { org_id: orgId } }),
  })
  return (
    <Section title="Due dates (SLA)">
      <ReadingAlert title="Could not load the due dates" reading={reading} />
      {reading.data && <SlaForm orgId={orgId} policy={reading.data} />}
    </Section>
  )
}

function SlaForm({ orgId, policy: { attributes } }: { orgId: string; policy: SlaPolicy }) {
  const [days, setDays] = useState(
    () => Object.fromEntries(names.map((name) => [name, String(attributes[name] ?? '')])) as Record<Field, string>,
  )
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: () =>
      call('updateSlaPolicy', {
        params: { org_id: orgId },
        body: { data: { id: orgId, type: 'sla_policy', attributes: toDays(days) } },
      }),
    onSuccess: async () => {
      for (const name of ['overview', 'issues', 'issue-groups', 'project', 'triage']) {
        void queries.invalidateQueries({ queryKey: [name, orgId] })
      }
      await queries.invalidateQueries({ queryKey: ['sla-policy', orgId] })
    },
  })
  return (
    <SaveForm
      action="Save due dates"
      failure="Due dates not saved"
      saving={saving}
      maw="46rem"
      onSubmit={() => saving.mutate()}
    >
      <Note size="sm">
        Days from the time a project has a vulnerability until it must be fixed. Empty: no due date. Dates that users
        set stay.
      </Note>
      <SimpleGrid cols={{ base: 2, sm: 5 }} spacing="sm" style={{ alignItems: 'end' }}>
        {names.map((name) => (
          <TextInput
            key={name}
            label={fields[name]}
            type="number"
            min={1}
            max={3650}
            inputMode="numeric"
            rightSection={<Note>days</Note>}
            rightSectionWidth="3rem"
            {...textField(days[name], (value) => setDays({ ...days, [name]: value }), faultOf(saving.error, name))}
          />
        ))}
      </SimpleGrid>
    </SaveForm>
  )
}

function toDays(days: Readonly<Record<Field, string>>): SlaDays {
  return Object.fromEntries(names.map((name) => [name, days[name] === '' ? null : Number(days[name])]))
}
