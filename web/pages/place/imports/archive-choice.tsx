import { NativeSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { toRefusal } from '../../../api/refusal.ts'
import { textField } from '../../../ui/text-field.ts'
import { ArchiveUpload } from '../integrations/archive-upload.tsx'

interface Props {
  readonly orgId: string
  readonly integrationId: string
  readonly value: string
  readonly onChange: (name: string) => void
  readonly error: string | undefined
}

/** Chooses an uploaded archive, or uploads one. The newest archive of a name is imported. */
export function ArchiveChoice({ orgId, integrationId, value, onChange, error }: Props) {
  const reading = useQuery({
    queryKey: ['archives', orgId, integrationId, 'choice'],
    queryFn: () =>
      call('listArchives', { params: { org_id: orgId, integration_id: integrationId }, query: { limit: 100 } }),
  })
  const names = [...new Set((reading.data?.data ?? []).map(({ attributes }) => attributes.name))]
  // An archive that was just uploaded is not in the list yet.
  if (value !== '' && !names.includes(value)) names.push(value)
  return (
    <Stack gap="sm">
      <ArchiveUpload
        orgId={orgId}
        integrationId={integrationId}
        onSent={({ attributes }) => onChange(attributes.name)}
      />
      <NativeSelect
        label="Archive"
        description="Of several with one name, the newest is used"
        {...textField(value, onChange, error ?? (reading.error ? toRefusal(reading.error).message : undefined))}
        required
        data={[
          { value: '', label: names.length === 0 ? 'Upload one first' : 'Choose one', disabled: true },
          ...names.map((name) => ({ value: name, label: name })),
        ]}
      />
    </Stack>
  )
}
