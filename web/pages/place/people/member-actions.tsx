import { Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { changeRole } from '../../../api/members.ts'
import { idIn, paramsOf } from '../../../api/place-params.ts'
import type { Member } from '../../../api/resources.ts'
import { ConfirmButton } from '../../../components/confirm-button.tsx'
import { DialogForm, FormDialog } from '../../../components/form-dialog.tsx'
import { faultOf } from '../../../components/refusal-alert.tsx'
import type { ConsoleScope } from '../../../navigation/paths.ts'
import { RoleChoice } from '../role-fields/role-choice.tsx'

interface Props {
  readonly place: ConsoleScope
  readonly member: Member
}

export function MemberActions({ place, member }: Props) {
  const { name } = member.relationships.user.data.attributes
  return (
    <Group gap="xs">
      <FormDialog
        action="Change role"
        name={`Change role of ${name}`}
        title={`Change the role of ${name}`}
        size="compact-sm"
      >
        {(close) => <RoleForm place={place} member={member} onDone={close} />}
      </FormDialog>
      <Removal place={place} member={member} />
    </Group>
  )
}

function RoleForm({ place, member, onDone }: Props & { readonly onDone: () => void }) {
  const queries = useQueryClient()
  const [roleId, setRoleId] = useState(member.relationships.role.data.id)
  const changing = useMutation({
    mutationFn: () => changeRole(place, member.id, roleId),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['members', place.kind, place.id] })
      onDone()
    },
  })
  return (
    <DialogForm
      action="Change role"
      failure="Role not changed"
      saving={changing}
      onSubmit={() => changing.mutate()}
      onCancel={onDone}
    >
      <RoleChoice
        place={place}
        description="The member’s permissions; at most your own"
        value={roleId}
        onChange={setRoleId}
        error={faultOf(changing.error, 'role')}
      />
    </DialogForm>
  )
}

function Removal({ place, member }: Props) {
  const { name } = member.relationships.user.data.attributes
  return (
    <ConfirmButton
      size="compact-sm"
      action="Remove"
      name={`Remove ${name}`}
      title={`Remove ${name}?`}
      verb="Remove member"
      failure="Member not removed"
      changes={[['members', place.kind, place.id]]}
      run={() =>
        call(idIn(place, 'deleteOrgMembership', 'deleteGroupMembership'), {
          params: { ...paramsOf(place), membership_id: member.id },
        })
      }
    >
      {place.kind === 'orgs'
        ? `${name} loses this role in the organization at once. Roles in the group stay.`
        : `${name} loses this role in the group and in all its organizations at once. The user stays.`}
    </ConfirmButton>
  )
}
