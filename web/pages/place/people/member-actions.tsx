import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { changeRole } from '../../../api/members.ts'
import { nounOf, paramsOf } from '../../../api/place-params.ts'
import type { Member } from '../../../api/resources.ts'
import { DialogForm, FormDialog } from '../../../components/form-dialog.tsx'
import { faultOf, RefusalAlert } from '../../../components/refusal-alert.tsx'
import type { Place } from '../../../navigation/paths.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { RoleChoice } from '../role-fields/role-choice.tsx'

interface Props {
  readonly place: Place
  readonly member: Member
}

/** Changes a membership, or ends it. */
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
      error={changing.error}
      isPending={changing.isPending}
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
  const queries = useQueryClient()
  const [isOpen, { open, close }] = useDisclosure()
  const removing = useMutation({
    mutationFn: () =>
      call(`delete${nounOf(place)}Membership`, { params: { ...paramsOf(place), membership_id: member.id } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['members', place.kind, place.id] })
      close()
    },
  })
  const { name } = member.relationships.user.data.attributes

  function begin() {
    removing.reset()
    open()
  }

  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`Remove ${name}`} onClick={begin}>
        Remove
      </Button>
      <ConfirmDialog
        title={`Remove ${name}?`}
        verb="Remove member"
        isOpen={isOpen}
        isBusy={removing.isPending}
        onConfirm={() => removing.mutate()}
        onClose={close}
      >
        {removing.error && <RefusalAlert title="Member not removed" error={removing.error} />}
        {place.kind === 'orgs'
          ? `${name} loses this role in the organization at once. Roles in the group stay.`
          : `${name} loses this role in the group and in all its organizations at once. The user stays.`}
      </ConfirmDialog>
    </>
  )
}
