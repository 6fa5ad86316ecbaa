import { Code, List, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { call, callData } from '../../../api/client.ts'
import { areasOf, describePermission } from '../../../api/permissions.ts'
import type { Role, RoleInput } from '../../../api/resources.ts'
import { Deletion } from '../../../components/deletion.tsx'
import { ResourcePage } from '../../../components/resource-page.tsx'
import { SaveForm } from '../../../components/save-form.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { useParams } from '../../../router/react.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { ButtonLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'
import { RoleFields } from './fields.tsx'
import { useRoleChanged } from './use-role-changed.ts'

export function RolePage() {
  const { id: groupId } = usePlace()
  const { roleId = '' } = useParams()
  const reading = useQuery({
    queryKey: ['role', groupId, roleId],
    queryFn: () => callData('getRole', { params: { group_id: groupId, role_id: roleId } }),
  })
  return (
    <ResourcePage kind="Role" reading={reading}>
      {(role) => (
        <Page
          title={role.attributes.name}
          lead={role.attributes.description || undefined}
          actions={
            <ButtonLink variant="default" to={`${paths.newRole(groupId)}?from=${role.id}`}>
              Copy to new role
            </ButtonLink>
          }
        >
          <Facts of={[['Id', <Code key="id">{role.id}</Code>]]} />
          {role.attributes.is_custom ? (
            <>
              <Change key={role.attributes.updated_at} groupId={groupId} role={role} />
              <Deletion
                name={role.attributes.name}
                kind="role"
                words="Only a role that no member or service account has can be deleted."
                listKeys={[['roles-page', groupId], ['roles']]}
                backTo={paths.roles(groupId)}
                remove={() => call('deleteRole', { params: { group_id: groupId, role_id: role.id } })}
              >
                The role can no longer be given. This cannot be undone.
              </Deletion>
            </>
          ) : (
            <Permissions role={role} />
          )}
        </Page>
      )}
    </ResourcePage>
  )
}

function Permissions({ role: { attributes } }: { role: Role }) {
  return (
    <Section title="Permissions">
      <Text>A built-in role cannot be changed. Copy it to a new role to adapt it.</Text>
      {areasOf(attributes.permissions).map(({ title, permissions }) => (
        <Stack key={title} gap={4}>
          <Title order={3} size="h5">
            {title}
          </Title>
          <List size="sm" spacing={2}>
            {permissions.map((name) => (
              <List.Item key={name}>
                {describePermission(name)} <Code>{name}</Code>
              </List.Item>
            ))}
          </List>
        </Stack>
      ))}
    </Section>
  )
}

function Change({ groupId, role }: { groupId: string; role: Role }) {
  const { name, description, permissions } = role.attributes
  const [input, setInput] = useState<RoleInput>({ name, description, permissions })
  const change = useCallback((part: Partial<RoleInput>) => setInput((now) => ({ ...now, ...part })), [])
  const changing = useMutation({
    mutationFn: () =>
      call('updateRole', {
        params: { group_id: groupId, role_id: role.id },
        body: { data: { id: role.id, type: 'role', attributes: input } },
      }),
    onSuccess: useRoleChanged(groupId),
  })

  return (
    <Section title="Change">
      <SaveForm
        action="Save role"
        failure="Role not saved"
        saving={changing}
        maw="44rem"
        onSubmit={() => changing.mutate()}
      >
        <Text size="sm">A change applies at once to all who have the role.</Text>
        <RoleFields input={input} onChange={change} error={changing.error} />
      </SaveForm>
    </Section>
  )
}
