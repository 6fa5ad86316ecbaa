import { Checkbox, Fieldset, SimpleGrid, Stack } from '@mantine/core'
import { type PermissionArea as Area, describePermission, type Permission } from '../api/permissions.ts'

interface Props<Name extends Permission> {
  readonly area: Area
  readonly chosen: readonly Name[]
  /** A permission that is always chosen. */
  readonly fixed?: Name
  readonly onChange: (chosen: Name[]) => void
}

/** Check boxes with descriptions for the permissions of one area. */
export function PermissionArea<Name extends Permission>({ area, chosen, fixed, onChange }: Props<Name>) {
  const permissions = area.permissions as readonly Name[]
  const here = permissions.filter((name) => chosen.includes(name))
  const others = chosen.filter((name) => !permissions.includes(name) || name === fixed)
  const isAll = here.length === permissions.length
  return (
    <Fieldset legend={area.title}>
      <Stack gap="sm">
        {permissions.length > 1 && (
          <Checkbox
            label="All of these"
            aria-label={`All of these: ${area.title}`}
            checked={isAll}
            indeterminate={here.length > 0 && !isAll}
            onChange={() => onChange(isAll ? others : [...new Set([...others, ...permissions])])}
          />
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
          {permissions.map((name) => (
            <Checkbox
              key={name}
              label={describePermission(name)}
              description={name}
              checked={here.includes(name)}
              disabled={name === fixed}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked ? [...chosen, name] : chosen.filter((permission) => permission !== name),
                )
              }
            />
          ))}
        </SimpleGrid>
      </Stack>
    </Fieldset>
  )
}
