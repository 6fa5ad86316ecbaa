import { Stack, Text, Textarea, TextInput } from '@mantine/core'
import { memo } from 'react'
import { allAreas } from '../../../api/permissions.ts'
import type { RoleInput } from '../../../api/resources.ts'
import { PermissionArea } from '../../../components/permission-area.tsx'
import { faultOf } from '../../../components/refusal-alert.tsx'
import { textField } from '../../../ui/text-field.ts'

interface Props {
  readonly input: RoleInput
  /** Must be the same function in each render. */
  readonly onChange: (part: Partial<RoleInput>) => void
  readonly error: Error | null
}

export function RoleFields({ input, onChange, error }: Props) {
  const isOfGroup = input.permissions.some((name) => name.startsWith('group.'))
  const fault = faultOf(error, 'permissions')
  return (
    <>
      <TextInput
        label="Name"
        description="Unique in the group"
        {...textField(input.name, (name) => onChange({ name }), faultOf(error, 'name'))}
        maxLength={100}
        required
      />
      <Textarea
        label="For"
        description="Who should have the role, and why"
        {...textField(input.description, (description) => onChange({ description }), faultOf(error, 'description'))}
        maxLength={1000}
        autosize
        minRows={2}
      />
      <Stack gap="sm">
        <Text size="sm" aria-live="polite">
          {countShown(input.permissions)} permissions chosen.{' '}
          {isOfGroup
            ? 'With permissions of the group, only members and service accounts of the group can have the role.'
            : 'Members of the group and of its organizations can have the role.'}
        </Text>
        {fault !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)">
            {fault}
          </Text>
        )}
        <Areas chosen={input.permissions} onChange={onChange} />
      </Stack>
    </>
  )
}

/** Counts the chosen permissions that have a check box: a copied role may also have some without effect. */
function countShown(chosen: RoleInput['permissions']): number {
  return allAreas.flatMap(({ permissions }) => permissions).filter((name) => chosen.includes(name)).length
}

/** The check boxes, memoized because they are too many to render for each letter of a name. */
const Areas = memo(function Areas({
  chosen,
  onChange,
}: {
  chosen: RoleInput['permissions']
  onChange: Props['onChange']
}) {
  return allAreas.map((area) => (
    <PermissionArea
      key={area.title}
      area={area}
      chosen={chosen}
      onChange={(permissions) => onChange({ permissions })}
    />
  ))
})
