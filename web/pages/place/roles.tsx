import { Badge, Code, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { RefusalAlert } from '../../components/refusal-alert.tsx'
import { usePageOfList, usePlace } from '../../hooks/place.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'

export function Roles() {
  const { id } = usePlace()
  const { query, turns } = usePageOfList()
  const page = useQuery({
    queryKey: ['roles-page', id, query],
    queryFn: () => call('listRoles', { params: { group_id: id }, query }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title="Roles" lead="Sets of permissions for members and service accounts.">
      {page.isError && (
        <RefusalAlert title="Could not load the roles" error={page.error} onRetry={() => void page.refetch()} />
      )}
      {!page.isError && (
        <DataTable
          label="Roles"
          rows={page.data?.data}
          rowKey={(role) => role.id}
          columns={[
            {
              name: 'Name',
              width: '14rem',
              cell: ({ attributes }) => (
                <>
                  <Text size="sm" fw={600}>
                    {attributes.name}
                  </Text>
                  {!attributes.is_custom && (
                    <Badge variant="default" size="sm" radius="sm" tt="none">
                      built in
                    </Badge>
                  )}
                </>
              ),
            },
            { name: 'For', cell: ({ attributes }) => attributes.description },
            {
              name: 'Permissions',
              width: '13rem',
              cell: ({ attributes }) => (
                <details>
                  <summary>{attributes.permissions.length} permissions</summary>
                  {attributes.permissions.map((permission) => (
                    <Text key={permission} size="sm">
                      <Code>{permission}</Code>
                    </Text>
                  ))}
                </details>
              ),
            },
            { name: 'Id', cell: (role) => <Code>{role.id}</Code> },
          ]}
        />
      )}
      <Pager label="Pages of roles" {...turns(page.data?.links)} />
    </Page>
  )
}
