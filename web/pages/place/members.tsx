import { Group } from '@mantine/core'
import { call } from '../../api/client.ts'
import { idIn, paramsOf } from '../../api/place-params.ts'
import type { Member } from '../../api/resources.ts'
import { Listing } from '../../components/listing.tsx'
import { useList } from '../../hooks/list.ts'
import { usePlace, usePlaces } from '../../hooks/place.ts'
import type { ConsoleScope } from '../../navigation/paths.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { Age } from '../../ui/relative-time.tsx'
import { Disabling } from './disabling.tsx'
import { FactorReset } from './factor-reset.tsx'
import { PasswordReset } from './password-reset.tsx'
import { AddMember } from './people/add-member.tsx'
import { MemberActions } from './people/member-actions.tsx'

/** The column with resets of the sign-in, which need the group that manages the user. */
function signInColumn(groupId: string): Column<Member> {
  return {
    name: 'Sign-in',
    cell: ({ relationships }) => (
      <Group gap="xs">
        <PasswordReset groupId={groupId} user={relationships.user.data} />
        <FactorReset groupId={groupId} user={relationships.user.data} />
        <Disabling groupId={groupId} user={relationships.user.data} />
      </Group>
    ),
  }
}

/** Returns the group of the place; for an organization it is known once the places are loaded. */
function useGroupId({ kind, id }: ConsoleScope): string | undefined {
  const places = usePlaces()
  return kind === 'groups' ? id : places.data?.orgs.find((org) => org.id === id)?.attributes.group_id
}

export function Members() {
  const place = usePlace()
  const list = useList<Member>(['members', place.kind, place.id], (query) =>
    call(idIn(place, 'listOrgMemberships', 'listGroupMemberships'), { params: paramsOf(place), query }),
  )
  const groupId = useGroupId(place)
  return (
    <Page
      title="Members"
      lead={
        place.kind === 'orgs'
          ? 'Members of this organization. Members of its group may have access too.'
          : 'Members of this group; their roles apply in all its organizations.'
      }
      actions={groupId !== undefined && <AddMember place={place} groupId={groupId} />}
    >
      <Listing
        things="members"
        list={list}
        columns={[
          { name: 'Name', width: '10rem', cell: ({ relationships }) => relationships.user.data.attributes.name },
          { name: 'E-mail', width: '14rem', cell: ({ relationships }) => relationships.user.data.attributes.email },
          { name: 'Role', cell: ({ relationships }) => relationships.role.data.attributes.name },
          { name: 'Since', width: '9rem', cell: ({ attributes }) => <Age time={attributes.created_at} /> },
          { name: 'Membership', cell: (member) => <MemberActions place={place} member={member} /> },
          ...(place.kind === 'groups' ? [signInColumn(place.id)] : []),
        ]}
        empty={<Empty title="No members">Members of the group may still have access.</Empty>}
      />
    </Page>
  )
}
