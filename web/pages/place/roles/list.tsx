import { Badge, Group } from '@mantine/core'
import { call } from '../../../api/client.ts'
import type { Role } from '../../../api/resources.ts'
import { Listing } from '../../../components/listing.tsx'
import { useList } from '../../../hooks/list.ts'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { Empty } from '../../../ui/empty.tsx'
import { ButtonLink, NameLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'

export function Roles() {
  const { id: groupId } = usePlace()
  const list = useList(['roles-page', groupId], (query) => call('listRoles', { params: { group_id: groupId }, query }))
  return (
    <Page
      title="Roles"
      lead="Sets of permissions for members and service accounts."
      actions={<ButtonLink to={paths.newRole(groupId)}>New role</ButtonLink>}
    >
      <Listing
        things="roles"
        list={list}
        columns={[
          { name: 'Name', width: '16rem', cell: (role) => <Name groupId={groupId} role={role} /> },
          { name: 'For', cell: ({ attributes }) => attributes.description },
          { name: 'Permissions', width: '8rem', cell: ({ attributes }) => attributes.permissions.length },
        ]}
        empty={<Empty title="No roles">Create a role to give members and service accounts its permissions.</Empty>}
      />
    </Page>
  )
}

function Name({ groupId, role: { id, attributes } }: { groupId: string; role: Role }) {
  return (
    <Group gap="xs">
      <NameLink to={paths.role(groupId, id)} name={attributes.name} />
      {!attributes.is_custom && (
        <Badge variant="default" size="sm" radius="sm" tt="none">
          built in
        </Badge>
      )}
    </Group>
  )
}
