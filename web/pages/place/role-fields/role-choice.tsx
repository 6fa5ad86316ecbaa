import { NativeSelect, TextInput } from '@mantine/core'
import { toRefusal } from '../../../api/refusal.ts'
import type { ConsoleScope } from '../../../navigation/paths.ts'
import { textField } from '../../../ui/text-field.ts'
import { useRoles } from './role-name.tsx'

interface Props {
  readonly place: ConsoleScope
  /** The description until a role with one is chosen. */
  readonly description: string
  readonly value: string
  readonly onChange: (roleId: string) => void
  readonly error: string | undefined
}

/** A list if the caller may see the roles, otherwise a field for the role's id. */
export function RoleChoice({ place, description, value, onChange, error }: Props) {
  const roles = useRoles(place)
  if (roles.isError) {
    return (
      <TextInput
        label="Role id"
        description={`You cannot list the roles (${toRefusal(roles.error).message})`}
        {...textField(value, (value) => onChange(value.trim()), error)}
        required
      />
    )
  }
  const reachesGroups = (permissions: readonly string[]) => permissions.some((name) => name.startsWith('group.'))
  const fitting = roles.data?.filter(
    ({ attributes }) => place.kind === 'groups' || !reachesGroups(attributes.permissions),
  )
  const chosen = fitting?.find(({ id }) => id === value)
  return (
    <NativeSelect
      label="Role"
      description={chosen?.attributes.description || description}
      {...textField(value, onChange, error)}
      disabled={roles.isPending}
      required
      data={[
        { value: '', label: roles.isPending ? 'Loading the roles…' : 'Choose role', disabled: true },
        ...(fitting ?? []).map(({ id, attributes }) => ({ value: id, label: attributes.name })),
      ]}
    />
  )
}
