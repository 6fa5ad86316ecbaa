import { Group } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Answer, call } from '../../api/client.ts'
import { RefusalAlert } from '../../components/refusal-alert.tsx'
import { usePageOfList, usePlace } from '../../hooks/place.ts'
import type { Place } from '../../navigation/paths.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Disabling } from './disabling.tsx'
import { FactorReset } from './factor-reset.tsx'
import { PasswordReset } from './password-reset.tsx'

type Query = ReturnType<typeof usePageOfList>['query']

type OfOrg = Answer<'listOrgMemberships'>
type OfGroup = Answer<'listGroupMemberships'>

interface Listed {
  readonly data: readonly (OfOrg['data'][number] | OfGroup['data'][number])[]
  readonly links: OfOrg['links']
}

function listMembers({ kind, id }: Place, query: Query): Promise<Listed> {
  if (kind === 'orgs') return call('listOrgMemberships', { params: { org_id: id }, query })
  return call('listGroupMemberships', { params: { group_id: id }, query })
}

function resetColumn(groupId: string): Column<Listed['data'][number]> {
  return {
    name: 'Action',
    cell: ({ relationships }) => (
      <Group gap="xs">
        <PasswordReset groupId={groupId} user={relationships.user.data} />
        <FactorReset groupId={groupId} user={relationships.user.data} />
        <Disabling groupId={groupId} user={relationships.user.data} />
      </Group>
    ),
  }
}

/** People and their roles. Other changes are made through the interface. */
export function Members() {
  const place = usePlace()
  const { query, turns } = usePageOfList()
  const page = useQuery({
    queryKey: ['members', place.kind, place.id, query],
    queryFn: () => listMembers(place, query),
    placeholderData: keepPreviousData,
  })
  const isEmpty = page.data?.data.length === 0
  return (
    <Page
      title="Members"
      lead={
        place.kind === 'orgs'
          ? 'Members of this organization. Members of its group may have access too.'
          : 'Members of this group; their roles apply in all its organizations.'
      }
    >
      {page.isError && (
        <RefusalAlert title="Could not load the members" error={page.error} onRetry={() => void page.refetch()} />
      )}
      {isEmpty && <Empty title="No members">Members of the group may still have access.</Empty>}
      {!page.isError && !isEmpty && (
        <DataTable
          label="Members"
          rows={page.data?.data}
          rowKey={({ id }) => id}
          columns={[
            { name: 'Name', cell: ({ relationships }) => relationships.user.data.attributes.name },
            { name: 'E-mail', cell: ({ relationships }) => relationships.user.data.attributes.email },
            { name: 'Role', cell: ({ relationships }) => relationships.role.data.attributes.name },
            { name: 'Since', cell: ({ attributes }) => <RelativeTime time={attributes.created_at} /> },
            ...(place.kind === 'groups' ? [resetColumn(place.id)] : []),
          ]}
        />
      )}
      <Pager label="Pages of members" {...turns(page.data?.links)} />
    </Page>
  )
}
