import { Button, Fieldset, Group, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listPlaces, listRoles } from '../../../api/places.ts'
import type { RoleMapping } from '../../../api/resources.ts'
import { Note } from '../../../components/note.tsx'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'

interface Props {
  readonly groupId: string
  readonly mappings: readonly RoleMapping[]
  readonly onChange: (mappings: RoleMapping[]) => void
}

const WHOLE_GROUP = 'group'

export function RoleMappings({ groupId, mappings, onChange }: Props) {
  const places = useQuery({ queryKey: ['places'], queryFn: listPlaces })
  const roles = useQuery({
    queryKey: ['roles', groupId, 'all'],
    queryFn: () => listRoles(places.data!, { kind: 'groups', id: groupId }),
    enabled: places.data !== undefined,
  })
  const error = places.error ?? roles.error
  const orgs = places.data?.orgs.filter(({ attributes }) => attributes.group_id === groupId) ?? []
  const targets = [
    { value: WHOLE_GROUP, label: 'Whole group' },
    ...orgs.map(({ id, attributes }) => ({ value: id, label: attributes.name })),
  ]
  const choices = roles.data?.map(({ id, attributes }) => ({ value: id, label: attributes.name })) ?? []
  const change = (index: number, part: Partial<RoleMapping>) =>
    onChange(mappings.map((mapping, at) => (at === index ? { ...mapping, ...part } : mapping)))
  const add = () => onChange([...mappings, { claim_value: null, org_id: null, role_id: '' }])

  return (
    <Fieldset legend="Roles" aria-busy={roles.isPending}>
      <Stack gap="sm">
        <Note size="sm">
          Checked at each sign-in. In each place, the first match counts. Roles assigned by administrators stay.
        </Note>
        {error && <RefusalAlert title="Could not load the roles" error={error} />}
        {mappings.map((mapping, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the position is what a mapping is
          <Group key={index} align="flex-end" gap="xs">
            <TextInput
              label="Value of the claim"
              placeholder="All users"
              value={mapping.claim_value ?? ''}
              onChange={(event) => change(index, { claim_value: event.currentTarget.value || null })}
              flex="1 1 10rem"
            />
            <Select
              label="In"
              data={targets}
              value={mapping.org_id ?? WHOLE_GROUP}
              onChange={(value) => change(index, { org_id: value === WHOLE_GROUP ? null : value })}
              allowDeselect={false}
              flex="1 1 10rem"
            />
            <Select
              label="Role"
              data={choices}
              value={mapping.role_id || null}
              onChange={(value) => change(index, { role_id: value ?? '' })}
              allowDeselect={false}
              required
              flex="1 1 10rem"
            />
            <Button
              variant="default"
              onClick={() => onChange(mappings.filter((_, at) => at !== index))}
              aria-label={`Remove role ${index + 1}`}
            >
              Remove
            </Button>
          </Group>
        ))}
        <Button variant="default" onClick={add} style={{ alignSelf: 'flex-start' }}>
          Add role
        </Button>
      </Stack>
    </Fieldset>
  )
}
