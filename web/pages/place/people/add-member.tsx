import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '../../../api/client.ts'
import { addMember, findUser } from '../../../api/members.ts'
import { useCreation } from '../../../components/creation.tsx'
import { DialogForm, FormDialog } from '../../../components/form-dialog.tsx'
import { faultOf } from '../../../components/refusal-alert.tsx'
import type { ConsoleScope } from '../../../navigation/paths.ts'
import { textField } from '../../../ui/text-field.ts'
import { RoleChoice } from '../role-fields/role-choice.tsx'

interface Props {
  readonly place: ConsoleScope
  /** The group that manages the users. */
  readonly groupId: string
}

export function AddMember(props: Props) {
  return (
    <FormDialog action="Add member" title="Add member">
      {(close) => <AddMemberForm {...props} onDone={close} />}
    </FormDialog>
  )
}

function AddMemberForm({ place, groupId, onDone }: Props & { readonly onDone: () => void }) {
  const [email, setEmail] = useState('')
  const [roleId, setRoleId] = useState('')
  const suggestionsId = useId()
  // Only suggestions: without permission to list users, the server refuses when the form is submitted.
  const users = useQuery({
    queryKey: ['users', groupId, 'suggested'],
    queryFn: () => call('listUsers', { params: { group_id: groupId }, query: { limit: 100 } }),
  })
  const adding = useCreation({
    create: async (member: { email: string; roleId: string }, key) => {
      const { id } = await findUser(groupId, member.email)
      await addMember(place, { userId: id, roleId: member.roleId }, key)
    },
    listKey: ['members', place.kind, place.id],
    onCreated: onDone,
  })
  return (
    <DialogForm
      action="Add member"
      failure="Member not added"
      saving={adding}
      onSubmit={() => adding.mutate({ email: email.trim(), roleId })}
      onCancel={onDone}
    >
      <TextInput
        type="email"
        label="E-mail"
        description="A user that the group manages"
        list={suggestionsId}
        {...textField(email, setEmail, faultOf(adding.error, 'email') ?? faultOf(adding.error, 'user'))}
        required
        data-autofocus
      />
      <datalist id={suggestionsId}>
        {users.data?.data.map(({ id, attributes }) => (
          <option key={id} value={attributes.email}>
            {attributes.name}
          </option>
        ))}
      </datalist>
      <RoleChoice
        place={place}
        description="The member’s permissions; at most your own"
        value={roleId}
        onChange={setRoleId}
        error={faultOf(adding.error, 'role')}
      />
    </DialogForm>
  )
}
