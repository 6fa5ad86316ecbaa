import { Button, TextInput } from '@mantine/core'
import { call } from '../../../api/client.ts'
import type { User } from '../../../api/resources.ts'
import { Listing } from '../../../components/listing.tsx'
import { useList } from '../../../hooks/list.ts'
import { useLiveFilters } from '../../../hooks/live-filters.ts'
import { useFilters, usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import type { Column } from '../../../ui/data-table.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { NameLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { AddMember } from '../people/add-member.tsx'
import { UserState } from './user-state.tsx'

/** The accounts that a group manages, members or not. */
export function Users() {
  const { id: groupId } = usePlace()
  const { filters, apply } = useFilters(['find'])
  const { find = '' } = filters
  const { text } = useLiveFilters(filters, apply)
  const list = useList(['users', groupId, 'list', find], (query) =>
    call('listUsers', { params: { group_id: groupId }, query: { ...query, ...(find !== '' && { q: find }) } }),
  )
  return (
    <Page
      title="Users"
      lead="The people whose accounts this group manages."
      actions={<AddMember place={{ kind: 'groups', id: groupId }} groupId={groupId} action="Invite person" />}
    >
      <TextInput
        type="search"
        label="Name or e-mail address"
        aria-keyshortcuts="f"
        {...text('find')}
        maxLength={254}
        maw="28rem"
      />
      <Listing
        things="users"
        list={list}
        columns={columnsOf(groupId)}
        empty={
          <Empty title="No matching users">
            No name or e-mail address contains this.
            <p>
              <Button variant="default" onClick={() => apply({})}>
                Show all users
              </Button>
            </p>
          </Empty>
        }
      />
    </Page>
  )
}

function columnsOf(groupId: string): readonly Column<User>[] {
  return [
    {
      name: 'Name',
      width: '14rem',
      cell: ({ id, attributes }) => <NameLink to={paths.user(groupId, id)} name={attributes.name} />,
    },
    { name: 'E-mail', cell: ({ attributes }) => attributes.email },
    { name: 'Role in the group', width: '11rem', cell: ({ attributes }) => attributes.group_role ?? 'None' },
    { name: 'Organizations', width: '9rem', cell: ({ attributes }) => attributes.org_memberships.toLocaleString() },
    { name: 'State', width: '7rem', cell: (user) => <UserState user={user} /> },
    { name: 'Created', width: '9rem', cell: ({ attributes }) => <Age time={attributes.created_at} /> },
  ]
}
